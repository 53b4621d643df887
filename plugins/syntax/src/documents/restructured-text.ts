import type { SourceSymbol } from '../contract.js';
import { Lines } from '../text.js';
import { sections, type Heading } from './sections.js';

/** One repeated punctuation character above or below a title. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
/** A shorter adornment must be as long as its title (docutils' rule). */
const SHORT_ADORNMENT = 4;

/** The sections of a reStructuredText. Titles are underlined, or over- and underlined; styles rank in order of use. */
export function restructuredText(text: string): SourceSymbol[] {
  const lines = new Lines(text);
  const line = (at: number): string => lines.line(at);
  const styles: string[] = [];
  const headings: Heading[] = [];
  let blockStart = true;
  for (let at = 0; at < lines.count; at += 1) {
    const title = titleAt(at, line);
    if (!blockStart || !title) {
      blockStart = line(at) === '';
      continue;
    }
    if (!styles.includes(title.style)) styles.push(title.style);
    headings.push({
      level: styles.indexOf(title.style) + 1,
      title: title.text,
      signature: title.text,
      start: lines.start(at),
    });
    at += title.lines - 1;
  }
  return sections(lines, headings);
}

function titleAt(
  at: number,
  line: (at: number) => string,
): { text: string; style: string; lines: number } | undefined {
  const first = line(at);
  if (first === '') return undefined;
  const over = ADORNMENT.exec(first)?.[1];
  if (over !== undefined) {
    const text = line(at + 1).trim();
    const under = line(at + 2);
    if (text === '' || under !== first || !longEnough(under, text)) return undefined;
    return { text, style: `over ${over}`, lines: 3 };
  }
  const under = line(at + 1);
  const style = ADORNMENT.exec(under)?.[1];
  if (style === undefined || /^\s/.test(first) || !longEnough(under, first)) return undefined;
  return { text: first, style, lines: 2 };
}

function longEnough(adornment: string, title: string): boolean {
  return adornment.length >= SHORT_ADORNMENT || adornment.length >= title.length;
}
