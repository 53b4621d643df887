import { Markup, type Range } from './markup.js';
import { Overlay } from './overlay.js';
import type { EmbeddedSource } from './script.js';
import { readElement } from './svelte.js';

const FRONTMATTER = /^\s*---[^\S\n]*\n([^]*?)^---/m;

const RAW = /(<(?:script|style)\b[^>]*>)([^]*?)<\/(?:script|style)>/g;

/** The frontmatter and the scripts of an Astro component, and its markup as statements: `{title}` as `title`, `<Card>` as `Card`. */
export function astro(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  const frontmatter = FRONTMATTER.exec(text);
  const from = frontmatter && frontmatter.index === 0 ? frontmatter[0].length : 0;
  if (frontmatter && from > 0) overlay.keep(from - 3 - (frontmatter[1]?.length ?? 0), from - 3);
  const markup = new Markup(text, { braces: true, from });
  for (let token = markup.next(); token; token = markup.next()) {
    if (token.kind === 'braces') keepExpression(text, overlay, token);
    else if (token.kind === 'open' && /^(?:script|style)$/.test(token.name)) {
      const { start, end } = token.closed ? token : markup.content(token.name);
      if (token.name === 'script' && !token.closed) overlay.keep(start, end);
    } else if (token.kind === 'open') readElement(text, overlay, token);
  }
  return { parser: 'tsx', text: String(overlay) };
}

/** An expression with elements in it, without what is inside `<script>` and `<style>` there: that is not JSX. */
function keepExpression(text: string, overlay: Overlay, { start, end }: Range): void {
  overlay.put(start, start + 1, ';');
  let from = start + 1;
  for (const { index, 1: tag = '', 2: content = '' } of text.slice(start, end).matchAll(RAW)) {
    const begin = start + index + tag.length;
    overlay.keep(from, begin);
    from = begin + content.length;
  }
  overlay.keep(from, end - 1);
  overlay.put(end - 1, end, ';');
}
