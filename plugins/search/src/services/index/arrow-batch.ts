import type { Data, Field, Schema } from 'apache-arrow';
import { arrow } from './arrow.js';
import { halfBits } from './half.js';
import { vectorsSchema, type VectorRow } from './tables.js';

type Cell = string | Float32Array;
type Row = Readonly<Record<string, Cell>>;

/**
 * Rows as an Arrow table of that schema, in the format of an IPC stream: what one thread transfers to another. Columns are
 * texts and vectors of 16-bit floats, without nulls.
 */
export function toArrow(schema: Schema, rows: readonly Row[]): Uint8Array<ArrayBuffer> {
  const { makeData, RecordBatch, Struct, Table, tableToIPC } = arrow();
  const children = schema.fields.map((field) => column(field, rows));
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  const bytes = tableToIPC(new Table(new RecordBatch(schema, data)), 'stream');
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Uint8Array.from(bytes);
}

/** Rows of the table of vectors of that many dimensions. */
export interface VectorTable {
  readonly dimensions: number;
  readonly rows: Uint8Array<ArrayBuffer>;
}

/** The rows of tables of that many dimensions. */
export function rowsOf(tables: readonly VectorTable[], dimensions: number): readonly Uint8Array[] {
  return tables.filter((table) => table.dimensions === dimensions).map(({ rows }) => rows);
}

export function vectorsToArrow(rows: readonly VectorRow[]): VectorTable[] {
  const grouped = new Map<number, VectorRow[]>();
  for (const row of rows) {
    const some = grouped.get(row.vector.length);
    if (some) some.push(row);
    else grouped.set(row.vector.length, [row]);
  }
  return [...grouped].map(([dimensions, some]) => ({
    dimensions,
    rows: toArrow(vectorsSchema(dimensions), some),
  }));
}

function column({ name, type }: Field, rows: readonly Row[]): Data {
  const { DataType, makeData } = arrow();
  const length = rows.length;
  if (DataType.isUtf8(type)) {
    const texts = rows.map((row) => String(row[name]));
    const valueOffsets = new Int32Array(length + 1);
    for (let i = 0; i < length; i++) valueOffsets[i + 1] = valueOffsets[i]! + Buffer.byteLength(texts[i]!);
    const data = Buffer.allocUnsafeSlow(valueOffsets[length]!);
    for (let i = 0; i < length; i++) data.write(texts[i]!, valueOffsets[i]!);
    return makeData({ type, length, nullCount: 0, valueOffsets, data });
  }
  if (DataType.isFixedSizeList(type)) {
    const width = type.listSize;
    const values = new Uint16Array(length * width);
    rows.forEach((row, i) => {
      const vector = row[name];
      // LanceDB pads a vector of a wrong length without a word.
      if (!(vector instanceof Float32Array) || vector.length !== width)
        throw new Error('a vector has a wrong length');
      for (let at = 0; at < width; at++) values[i * width + at] = halfBits(vector[at]!);
    });
    const [item] = type.children;
    if (!item) throw new Error('a list without a type');
    const child = makeData({ type: item.type, length: values.length, nullCount: 0, data: values });
    return makeData({ type, length, nullCount: 0, child });
  }
  throw new Error(`no column of type ${String(type)}`);
}
