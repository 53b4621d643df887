import { readNotebook, valueOfString, type Cell } from './notebook.js';
import { Overlay } from './overlay.js';
import type { EmbeddedSource } from './script.js';

/** Magics that leave the code of their cell what it is. */
const TRANSPARENT = /^%%(?:time|timeit|capture|prun|debug)\b/;

/**
 * The code cells of a notebook of Python as one module, each line at the start of its line. Cells in another language
 * (`%%bash`) are left out, and so are those whose lines are not lines of the file: Jupyter writes one string for each.
 */
export function jupyter(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  const { cells, language } = readNotebook(text) ?? { cells: [], language: '' };
  if (/^i?python/i.test(language))
    for (const cell of cells) if (cell.kind === 'code') putCell(text, overlay, cell);
  return { parser: 'python', text: String(overlay) };
}

function putCell(text: string, overlay: Overlay, { source }: Cell): void {
  const lines = source.map((range) => ({ range, code: valueOfString(text, range).replace(/\r?\n$/, '') }));
  const [first] = lines;
  const isOther = first?.code.startsWith('%%') === true && !TRANSPARENT.test(first.code);
  if (isOther || lines.some(({ code }) => code.includes('\n'))) return;
  for (const { range, code } of lines) {
    const start = indentBefore(text, range.start);
    if (start === 0 || text[start - 1] === '\n') overlay.put(start, range.end, withoutMagic(code));
  }
}

/** Where the blanks before an offset begin. */
function indentBefore(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}

/** `%matplotlib inline`, `!ls`, `len?` and `files = !ls` are not Python. */
function withoutMagic(code: string): string {
  if (code.startsWith('%%')) return '';
  return code
    .replace(/^(\s*)(?:[%!?].*|[\w.]+\?{1,2})$/, '$1pass')
    .replace(/^(\s*[\w.]+\s*=\s*)[!%].*$/, '$1None');
}
