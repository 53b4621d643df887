import type { SourceSymbol } from '../contract.js';
import { Markup } from '../embedded/markup.js';
import { Lines } from '../text.js';
import { sections, type Heading } from './sections.js';

const HEADING = /^h([1-6])$/i;
/** Elements that show nothing. */
const HIDDEN = /^(?:script|style|template)$/i;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
/** Characters of a title that are read. */
const MAX_TITLE = 1000;

/** The sections of a page, from `<h1>` to `<h6>`. */
export function html(text: string): SourceSymbol[] {
  const lines = new Lines(text);
  const markup = new Markup(text);
  const headings: Heading[] = [];
  let open: { readonly level: number; readonly start: number; title: string } | undefined;
  for (let token = markup.next(); token; token = markup.next()) {
    if (token.kind === 'open' && HIDDEN.test(token.name)) markup.content(token.name);
    else if (token.kind === 'open') {
      const level = Number(HEADING.exec(token.name)?.[1] ?? 0);
      if (level > 0) open = { level, start: token.start, title: '' };
    } else if (token.kind === 'close' && open && HEADING.test(token.name)) {
      const title = plain(open.title);
      headings.push({ level: open.level, title, signature: title, line: lines.at(open.start) });
      open = undefined;
    } else if (token.kind === 'text' && open && open.title.length < MAX_TITLE)
      open.title += text.slice(token.start, Math.min(token.end, token.start + MAX_TITLE));
  }
  return sections(lines, headings);
}

function plain(title: string): string {
  return title
    .replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
