import { oneLine } from '@service-mcp/core';
import { linesToRead } from '@service-mcp/plugin-search/contract';
import type { Candidate } from './candidate.js';

/**
 * How a context is written: `open`, the sections with `between` between them, `close`. `open` and `between` end in a line
 * end, and a section begins with a mark, so that the tokens of these parts add up (see `Tokenizer`).
 */
export interface Format {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** A context without sections, in the same syntax. */
  readonly empty: string;
  section(candidate: Candidate): string;
}

const place = ({ path, startLine, endLine }: Candidate) =>
  path === undefined ? '' : startLine === undefined ? path : `${path}:${startLine}-${endLine}`;

/** What is shown of a candidate. */
const shownOf = ({ text, language }: Candidate) => linesToRead(text, language);

/** Of a notebook, the cells are shown: of which language they are, it says elsewhere. */
const languageOf = ({ language }: Candidate) => (language === 'jupyter' ? undefined : language);

/** What would end the section of a record, begin one that looks like another, or swallow the next ones. */
const STRUCTURE = /^[^\S\n\r\u2028\u2029]*(?:#{1,6}(?!\S)|`{3}|~{3})/mu;

/** In a fence that is longer than any in the text, so that the text cannot end its own. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/**
 * A heading that says where, and what unless the text says it; then the text: code in a fence, memory as it is unless it
 * has headings or fences of its own.
 */
const markdown: Format = {
  open: '',
  between: '\n\n',
  close: '',
  empty: '',
  section(candidate) {
    const { title, id, isRecent, isShortened, date, standing } = candidate;
    const text = shownOf(candidate);
    const where = place(candidate);
    const day = date === undefined ? '' : ` of ${date}`;
    const kind = `${isRecent ? 'recent ' : ''}${candidate.kind}${day}${standing === undefined ? '' : `, ${standing}`}`;
    const name = title.split('.').at(-1) ?? '';
    const heading = `### ${where === '' ? `${kind}: ${oneLine(title)} [${id}]` : text.includes(name) ? where : `${where} ${title}`}${isShortened ? ' (shortened)' : ''}`;
    if (where === '') return `${heading}\n${STRUCTURE.test(text) ? fenced(text) : text}`.trimEnd();
    return `${heading}\n${fenced(text, languageOf(candidate))}`;
  },
};

/** What XML 1.0 forbids, however it is written. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const allowed = (text: string) => text.replaceAll(FORBIDDEN, '\ufffd');
const escaped = (text: string) =>
  allowed(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const xml: Format = {
  open: '<context>\n',
  between: '\n',
  close: '\n</context>',
  empty: '<context></context>',
  section(candidate) {
    const { kind, title, path, startLine, endLine, id, date, isRecent, isShortened, standing } = candidate;
    const attributes = Object.entries({
      kind,
      ...(isRecent && { recent: 'true' }),
      ...(isShortened && { shortened: 'true' }),
      ...(date !== undefined && { date }),
      ...(standing !== undefined && { standing }),
      ...(path !== undefined && { path }),
      ...(startLine !== undefined && { lines: `${startLine}-${endLine}` }),
      ...(id !== undefined && { id }),
      ...(title !== '' && { title }),
    })
      .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      .join('');
    const body = allowed(shownOf(candidate)).trimEnd().replaceAll(']]>', ']]]]><![CDATA[>');
    return `<section${attributes}><![CDATA[\n${body}\n]]></section>`;
  },
};

const json: Format = {
  open: '[\n',
  between: ',\n',
  close: '\n]',
  empty: '[]',
  section(candidate) {
    const { kind, title, path, startLine, endLine, id, language, date, isRecent, isShortened, standing } =
      candidate;
    return JSON.stringify({
      kind,
      ...(isRecent && { recent: true }),
      ...(isShortened && { shortened: true }),
      ...(date !== undefined && { date }),
      ...(standing !== undefined && { standing }),
      ...(title !== '' && { title }),
      ...(path !== undefined && { path }),
      ...(startLine !== undefined && { start_line: startLine, end_line: endLine }),
      ...(id !== undefined && { id }),
      ...(language !== undefined && { language }),
      text: shownOf(candidate),
    });
  },
};

export const FORMATS = { markdown, xml, json } as const;
export type FormatName = keyof typeof FORMATS;
