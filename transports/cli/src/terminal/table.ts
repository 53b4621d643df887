import { stripVTControlCharacters } from 'node:util';
import { fold } from './format.js';

/** The last column is not made narrower than this. */
const NARROWEST = 16;

/**
 * Lines of a table whose columns line up; the last column breaks at spaces to stay within `columns`. Cells may carry styles.
 */
export function table(rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY): string[] {
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
    const [first = '', ...more] = fold(row.at(-1) ?? '', Math.max(NARROWEST, columns - indent)).split('\n');
    return [`${before}${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)].map((line) =>
      line.trimEnd(),
    );
  });
}
