import MarkdownIt from 'markdown-it';
import type { SourceSymbol } from '../contract.js';
import { Lines } from '../text.js';
import { sections, type Heading } from './sections.js';

// Only blocks: 70 ms for 1 MiB, where a parser of full syntax trees needs 2,000.
const blocks = new MarkdownIt('commonmark').enable('table');
blocks.core.ruler.disable('inline');
const inline = new MarkdownIt('commonmark');

/** Characters of a title that are parsed. */
const MAX_TITLE = 1000;

/** The sections of a CommonMark text with front matter (YAML between `---`, TOML between `+++`). */
export function markdown(text: string): SourceSymbol[] {
  const lines = new Lines(text);
  return sections(lines, markdownHeadings(lines));
}

export function markdownHeadings(lines: Lines): Heading[] {
  // The library also ends lines at a lone \r; this service does not.
  const source = withoutFrontMatter(lines.text.replace(/^\uFEFF/, '')).replaceAll(/\r(?!\n)/g, ' ');
  const tokens = blocks.parse(source, {});
  const headings: Heading[] = [];
  tokens.forEach((token, index) => {
    // A heading in a quote or a list item is part of that block and starts no section.
    if (token.type !== 'heading_open' || token.level > 0 || !token.map) return;
    const level = Number(token.tag.slice(1));
    const title = plain(tokens[index + 1]?.content ?? '');
    headings.push({
      level,
      title,
      signature: `${'#'.repeat(level)} ${title}`,
      start: lines.start(token.map[0]),
    });
  });
  return headings;
}

/** The text of a title without its markup. */
function plain(title: string): string {
  const tokens = inline.parseInline(title.slice(0, MAX_TITLE), {})[0]?.children ?? [];
  return tokens
    .map(({ type, content }) =>
      type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? '' : content,
    )
    .join('');
}

const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\r?\n(?:[^\n]*\n)*?\1[ \t]*(?:\r?\n|$)/;

/** The text with its front matter replaced by as many empty lines. */
function withoutFrontMatter(text: string): string {
  const matter = FRONT_MATTER.exec(text)?.[0];
  if (matter === undefined) return text;
  return `${'\n'.repeat(matter.match(/\n/g)?.length ?? 0)}${text.slice(matter.length)}`;
}
