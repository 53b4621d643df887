import type { Candidate } from './candidate.js';

/** How a context is written. */
export interface Format {
  /** One section, without what separates it from others. */
  section(candidate: Candidate): string;
  /** All of them. */
  whole(sections: readonly string[]): string;
}

const place = ({ path, startLine, endLine }: Candidate) =>
  path === undefined ? '' : startLine === undefined ? path : `${path}:${startLine}-${endLine}`;

/** A heading that says what and where, then the text: code in a fence, memory as it is. */
const markdown: Format = {
  section(candidate) {
    const { kind, title, id, language, text } = candidate;
    const where = place(candidate);
    const heading = `### ${where === '' ? `${kind}: ${title} [${id}]` : title === '' ? where : `${where} ${title}`}`;
    if (where === '') return `${heading}\n${text.trimEnd()}`;
    // Longer than any fence in the text, so that the text cannot end its own.
    const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length));
    const fence = '`'.repeat(longest + 1);
    return `${heading}\n${fence}${language ?? ''}\n${text.trimEnd()}\n${fence}`;
  },
  whole: (sections) => sections.join('\n\n'),
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const xml: Format = {
  section({ kind, title, path, startLine, endLine, id, text }) {
    const attributes = Object.entries({
      kind,
      ...(path !== undefined && { path }),
      ...(startLine !== undefined && { lines: `${startLine}-${endLine}` }),
      ...(id !== undefined && { id }),
      ...(title !== '' && { title }),
    })
      .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      .join('');
    const body = text.trimEnd().replaceAll(']]>', ']]]]><![CDATA[>');
    return `<section${attributes}><![CDATA[\n${body}\n]]></section>`;
  },
  whole: (sections) => `<context>\n${sections.join('\n')}\n</context>`,
};

const json: Format = {
  section({ kind, title, path, startLine, endLine, id, language, text }) {
    return JSON.stringify({
      kind,
      ...(title !== '' && { title }),
      ...(path !== undefined && { path }),
      ...(startLine !== undefined && { start_line: startLine, end_line: endLine }),
      ...(id !== undefined && { id }),
      ...(language !== undefined && { language }),
      text,
    });
  },
  whole: (sections) => `[${sections.join(',\n')}]`,
};

export const FORMATS = { markdown, xml, json } as const;
export type FormatName = keyof typeof FORMATS;
