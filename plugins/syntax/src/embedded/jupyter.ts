import { visit } from 'jsonc-parser';
import type { Range } from './markup.js';
import { Overlay } from './overlay.js';
import type { EmbeddedSource } from './script.js';

interface Cell {
  isCode: boolean;
  readonly source: Range[];
}

/** Magics that leave the code of their cell what it is. */
const TRANSPARENT = /^%%(?:time|timeit|capture|prun|debug)\b/;

/**
 * The code cells of a notebook of Python as one module, each line at the start of its line. Cells in another language
 * (`%%bash`) are left out, and so are those whose lines are not lines of the file: Jupyter writes one string for each.
 */
export function jupyter(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  try {
    const { cells, language } = readNotebook(text);
    if (/^i?python/i.test(language)) for (const cell of cells) if (cell.isCode) putCell(text, overlay, cell);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // nested so deep that the stack ends: no notebook
  }
  return { parser: 'python', text: String(overlay) };
}

function readNotebook(text: string): { readonly cells: readonly Cell[]; readonly language: string } {
  const cells: Cell[] = [];
  let language = 'python';
  /** Of the objects around; those of an array have the name of the array. */
  const path: string[] = [];
  let property = '';
  let cell: Cell | undefined;
  visit(text, {
    onObjectBegin() {
      path.push(property);
      if (path.length === 2 && property === 'cells') cells.push((cell = { isCode: false, source: [] }));
    },
    onObjectEnd() {
      property = path.pop() ?? '';
    },
    onObjectProperty(name) {
      property = name;
    },
    onLiteralValue(value, offset, length) {
      const [, first, second] = path;
      const isInCell = path.length === 2 && first === 'cells';
      if (isInCell && property === 'source') cell?.source.push({ start: offset, end: offset + length });
      else if (isInCell && property === 'cell_type' && cell) cell.isCode = value === 'code';
      else if (path.length === 3 && first === 'metadata' && second === 'language_info' && property === 'name')
        language = String(value);
    },
  });
  return { cells, language };
}

function putCell(text: string, overlay: Overlay, { source }: Cell): void {
  const lines = source.map((range) => ({ range, code: codeOf(text, range) }));
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

function codeOf(text: string, { start, end }: Range): string {
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return typeof value === 'string' ? value.replace(/\r?\n$/, '') : '';
  } catch {
    return '';
  }
}

/** `%matplotlib inline`, `!ls`, `len?` and `files = !ls` are not Python. */
function withoutMagic(code: string): string {
  if (code.startsWith('%%')) return '';
  return code
    .replace(/^(\s*)(?:[%!?].*|[\w.]+\?{1,2})$/, '$1pass')
    .replace(/^(\s*[\w.]+\s*=\s*)[!%].*$/, '$1None');
}
