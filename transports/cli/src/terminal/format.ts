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

/** Cuts to `width` characters, with an ellipsis in place of what is lost. */
export function clip(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The same from the other end: the last part of a long name tells most. */
export function clipStart(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `…${characters.slice(characters.length - width + 1).join('')}`;
}

/** The same in the middle: a path keeps its top and its file name. */
export function clipMiddle(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const end = Math.ceil((width - 1) * 0.6);
  const start = Math.max(0, width - 1 - end);
  return `${characters.slice(0, start).join('')}…${characters.slice(characters.length - end).join('')}`;
}

/**
 * Removes what could act on a terminal (escape sequences, other control characters) from text that came from
 * a file or a server; tabs become four columns, so that widths hold.
 */
export function printable(text: string): string {
  return text.replaceAll('\t', '    ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '�');
}

/** Breaks text at spaces into lines of at most `width` characters. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/**
 * Breaks the lines of text that are too long at spaces. Indents what follows like the line; keeps styles,
 * which take no room; leaves a word that is longer than `width` whole.
 */
export function fold(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => foldLine(line, width))
    .join('\n');
}

function foldLine(line: string, width: number): string {
  const columns = (part: string) => stripVTControlCharacters(part).length;
  if (columns(line) <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  for (const piece of line.slice(indent.length).split(/(?<=\S)(?= +\S)/)) {
    if (current !== '' && indent.length + columns(current) + columns(piece) > width) {
      lines.push(indent + current);
      current = piece.trimStart();
    } else current += piece;
  }
  return [...lines, indent + current].join('\n');
}
