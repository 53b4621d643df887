import { stripVTControlCharacters } from 'node:util';
import { fold } from './format.js';

/** The last column is at least this wide. */
const MIN_WIDTH = 16;

/** Lines of a table with aligned columns; the last one is folded at spaces to fit `columns`. Cells may carry styles. */
export function tableLines(
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const width = (cell: string) => stripVTControlCharacters(cell).length;
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, width(cell))));
  }
  return rows.flatMap((row) => {
    const before = row
      .slice(0, -1)
      .map((cell, i) => `${cell}${' '.repeat((widths[i] ?? 0) - width(cell))}  `)
      .join('');
    const indent = width(before);
    const lines = fold(row.at(-1) ?? '', Math.max(MIN_WIDTH, columns - indent)).split('\n');
    return lines.map((line, i) => `${i === 0 ? before : ' '.repeat(indent)}${line}`.trimEnd());
  });
}
