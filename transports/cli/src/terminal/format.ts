import { Help } from 'commander';
import { stripVTControlCharacters } from 'node:util';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `5,012` */
export function count(n: number): string {
  return whole.format(n);
}

/** `1 file`, `5,012 files` */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Decimal units with three figures at most: `812 B`, `4.1 MB`. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.5 ? whole.format(value) : value.toFixed(1)} ${units[unit]}`;
}

/** `0.8 s`, `42 s`, `3:07`, `1:02:09` from milliseconds. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const two = (n: number) => String(n).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Cuts to `width` characters with an ellipsis. `head` is the share that is kept of the start; the end gets the rest. */
export function clip(text: string, width: number, head = 1): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const start = Math.floor(Math.max(0, width - 1) * head);
  const end = characters.length - Math.max(0, width - 1 - start);
  return `${characters.slice(0, start).join('')}…${characters.slice(end).join('')}`;
}

/** An argument quoted for a shell where it needs quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Text of a file or a server without characters that control a terminal (escape sequences among them), end its lines or
 * turn the direction of its text; tabs become four columns, so that widths are right.
 */
export function printable(text: string): string {
  return text.replaceAll('\t', '    ').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '�');
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Commander's line breaking: at spaces, and styles take no room. */
const breaker = Object.assign(new Help(), { minWidthToWrap: 1 });

/** Breaks text at spaces into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const line = text.trim().replace(/\s+/g, ' ');
  return line === '' ? [] : breaker.boxWrap(line, width).split('\n');
}

/**
 * Breaks long lines at spaces and indents the continuation like the line. Styles take no room; a word longer than
 * `width` stays whole.
 */
export function fold(text: string, width: number): string {
  return text.replace(
    /^( *)([^ \n].*)/gm,
    (_line, indent: string, words: string) =>
      indent + breaker.boxWrap(words, width - indent.length).replaceAll('\n', `\n${indent}`),
  );
}

/** The last column of a table is at least this wide. */
const MIN_WIDTH = 16;

/** Lines of a table with aligned columns; the last one is folded at spaces to fit `columns`. Cells may carry styles. */
export function tableLines(rows: readonly (readonly string[])[], columns = Infinity): string[] {
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
