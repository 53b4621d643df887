import { Markup, type Range } from './markup.js';
import { Overlay } from './overlay.js';
import type { EmbeddedSource } from './script.js';
import { readElement } from './svelte.js';

const FRONTMATTER = /---[^\S\n]*\n([^]*?)^---/my;

const RAW = /<(script|style)\b/g;

/** The frontmatter and the scripts of an Astro component, and its markup as statements: `{title}` as `title`, `<Card>` as `Card`. */
export function astro(text: string): EmbeddedSource {
  const overlay = new Overlay(text);
  FRONTMATTER.lastIndex = text.length - text.trimStart().length;
  const frontmatter = FRONTMATTER.exec(text);
  const from = frontmatter ? frontmatter.index + frontmatter[0].length : 0;
  if (frontmatter) overlay.keep(from - 3 - (frontmatter[1]?.length ?? 0), from - 3);
  const markup = new Markup(text, { braces: 'single', from });
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
  for (const content of rawContents(text.slice(from, end))) {
    overlay.keep(from, start + 1 + content.start);
    from = start + 1 + content.end;
  }
  overlay.keep(from, end - 1);
  overlay.put(end - 1, end, ';');
}

/** What is inside of `<script>` and `<style>`, up to the first of them that nothing closes. */
function* rawContents(text: string): Generator<Range> {
  RAW.lastIndex = 0;
  for (let tag = RAW.exec(text); tag; tag = RAW.exec(text)) {
    const start = text.indexOf('>', tag.index) + 1;
    const end = start > 0 ? text.indexOf(`</${tag[1]}>`, start) : -1;
    if (end < 0) return;
    yield { start, end };
    RAW.lastIndex = end;
  }
}
