import { visit } from 'jsonc-parser';
import type { Range } from './markup.js';

export interface Cell {
  /** `code`, `markdown`, `raw` or, before version 4 of the format, `heading`. */
  kind: string;
  /** Of a heading. */
  level: number;
  /** The strings of its source, with their quotes. */
  readonly source: Range[];
  /** Outputs or attachments lie between this source and the one before. */
  isApart: boolean;
}

export interface Notebook {
  readonly cells: readonly Cell[];
  /** Of its code. */
  readonly language: string;
}

/** The cells of a notebook in order; undefined for a text that is not JSON, or has no cells. */
export function readNotebook(text: string): Notebook | undefined {
  const cells: Cell[] = [];
  let language = 'python';
  let isValid = true;
  let isApart = false;
  /** The names of the objects around; those of an array have the name of the array. */
  const path: string[] = [];
  let property = '';
  let cell: Cell | undefined;
  /** The objects around and in a cell, from the cell on; 0 outside of cells: `cells` of version 4, `worksheets/cells` of version 3. */
  const depthInCell = (): number => {
    const outside = path[1] === 'worksheets' ? 2 : 1;
    return path[outside] === 'cells' ? path.length - outside : 0;
  };
  const readString = (start: number, length: number): void => {
    if (!cell || text[start] !== '"') return;
    if (cell.source.length === 0) {
      cell.isApart = isApart;
      isApart = false;
    }
    cell.source.push({ start, end: start + length });
  };
  try {
    visit(
      text.replace(/^\uFEFF/, ' '),
      {
        onObjectBegin() {
          path.push(property);
          const depth = depthInCell();
          if (depth === 0) return;
          const within = path[path.length - depth + 1];
          if (depth === 1) cells.push((cell = { kind: '', level: 1, source: [], isApart: false }));
          else if (within === 'outputs' || (within === 'attachments' && depth > 2)) isApart = true;
        },
        onObjectEnd() {
          property = path.pop() ?? '';
        },
        onObjectProperty(name) {
          property = name;
        },
        onLiteralValue(value, offset, length) {
          if (path.length === 1) return;
          if (cell && depthInCell() === 1) {
            if (property === 'source' || property === 'input') readString(offset, length);
            else if (property === 'cell_type') cell.kind = String(value);
            else if (property === 'level') cell.level = Number(value) || 1;
          } else if (isLanguageInfo(path) && property === 'name') language = String(value);
        },
        onError() {
          isValid = false;
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // nested so deep that the stack ends
    return undefined;
  }
  return isValid && cells.length > 0 ? { cells, language } : undefined;
}

function isLanguageInfo(path: readonly string[]): boolean {
  return path.length === 3 && path[1] === 'metadata' && path[2] === 'language_info';
}

/** What a string of JSON says, or nothing where it is not one. */
export function valueOfString(text: string, { start, end }: Range): string {
  try {
    const value: unknown = JSON.parse(text.slice(start, end));
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}
