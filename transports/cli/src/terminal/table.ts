import { stripVTControlCharacters } from 'node:util';

/**
 * Lines of a table whose columns line up; the last column is left as it is. Cells may carry styles.
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const width = (cell: string) => stripVTControlCharacters(cell).length;
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, width(cell))));
  }
  return rows.map((row) =>
    row
      .map((cell, i) => (i < row.length - 1 ? cell + ' '.repeat((widths[i] ?? 0) - width(cell)) : cell))
      .join('  ')
      .trimEnd(),
  );
}
