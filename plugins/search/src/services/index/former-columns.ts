import type { Schema } from 'apache-arrow';
import { withRetry, type Table } from './lance.js';
import type { Place } from './place.js';
import { vectorsSchema } from './tables.js';

/** The columns that held a place before it was one text, and the text that they make, in the SQL of LanceDB. */
const FORMER_COLUMNS = [
  'start',
  'end',
  'start_line',
  'end_line',
  'start_column',
  'sha256',
  'symbol',
] as const satisfies readonly (keyof Place)[];
const PACKED_COLUMNS = `concat_ws(' ', ${FORMER_COLUMNS.map((column) => `cast(\`${column}\` as string)`).join(', ')})`;

/** Packs the columns of an index of before into one, in place. */
export async function packFormerPlaces(chunks: Table): Promise<void> {
  const names = async () => new Set((await chunks.schema()).fields.map(({ name }) => name));
  const before = await names();
  if (!FORMER_COLUMNS.some((column) => before.has(column))) return;
  await withRetry(async () => {
    if (!(await names()).has('place')) await chunks.addColumns([{ name: 'place', valueSql: PACKED_COLUMNS }]);
  });
  await withRetry(async () => {
    const present = await names();
    const former = FORMER_COLUMNS.filter((column) => present.has(column));
    if (former.length > 0) await chunks.dropColumns(former);
  });
}

/** Casts the vectors of an index of before, of 32-bit floats, in place. Their index is built again by maintenance. */
export async function halveFormerVectors(table: Table, dimensions: number): Promise<void> {
  const typeIn = (schema: Schema) => schema.fields.find(({ name }) => name === 'vector')?.type;
  const dataType = typeIn(vectorsSchema(dimensions));
  await withRetry(async () => {
    if (!dataType || String(typeIn(await table.schema())) === String(dataType)) return;
    const indexes = (await table.listIndices()).filter(({ columns }) => columns.includes('vector'));
    for (const name of new Set(indexes.map((index) => index.name))) await table.dropIndex(name); // no cast under one
    await table.alterColumns([{ path: 'vector', dataType }]);
  });
}
