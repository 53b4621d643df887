import type { SourceSymbol } from '../contract.js';
import { Markup } from '../embedded/markup.js';
import { Lines } from '../text.js';
import { sections, type Heading } from './sections.js';

const HEADING = /^h([1-6])$/i;
/** The level of the `<title>`, above all headings. */
const TITLE = 0.5;
/** Behind these, a `<title>` is that of a drawing. */
const BODY = /^(?:body|svg|h[1-6])$/i;
/** What a template puts into a title says nothing about this page. */
const TEMPLATE = /\{\{|\{%|<%|\$\{/;
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

/** The sections of a page, from `<h1>` to `<h6>`; its `<title>` is the one around them if it has no `<h1>`. */
export function html(text: string): SourceSymbol[] {
  const lines = new Lines(text);
  const markup = new Markup(text);
  const headings: Heading[] = [];
  let inHead = true;
  let open: { readonly level: number; readonly start: number; title: string } | undefined;
  for (let token = markup.next(); token; token = markup.next()) {
    if (token.kind === 'open' && HIDDEN.test(token.name)) markup.content(token.name);
    else if (token.kind === 'open') {
      const level = levelOf(token.name);
      inHead &&= !BODY.test(token.name);
      if (level !== undefined && (inHead || level !== TITLE)) open = { level, start: token.start, title: '' };
    } else if (token.kind === 'close' && open && levelOf(token.name) !== undefined) {
      const title = plain(open.title);
      headings.push({ level: open.level, title, signature: title, start: open.start });
      open = undefined;
    } else if (token.kind === 'text' && open && open.title.length < MAX_TITLE)
      open.title += text.slice(token.start, Math.min(token.end, token.start + MAX_TITLE));
  }
  const hasTop = headings.some(({ level }) => level === 1);
  const shown = headings.filter(
    ({ level, title }) => level !== TITLE || (!hasTop && title !== '' && !TEMPLATE.test(title)),
  );
  return sections(lines, onLines(lines, shown));
}

/** A section begins with the line of its heading, but for those of a page that has several on a line. */
function onLines(lines: Lines, headings: readonly Heading[]): Heading[] {
  const places = headings.map(({ start }) => lines.at(start));
  return headings.map((heading, index) => {
    const line = places[index]!;
    const isAlone = places[index - 1] !== line && places[index + 1] !== line;
    return isAlone ? { ...heading, start: lines.start(line) } : heading;
  });
}

function levelOf(element: string): number | undefined {
  const level = HEADING.exec(element)?.[1];
  return level === undefined ? (element.toLowerCase() === 'title' ? TITLE : undefined) : Number(level);
}

function plain(title: string): string {
  return title
    .replaceAll(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (entity, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .replaceAll(/\s+/g, ' ')
    .trim();
}
