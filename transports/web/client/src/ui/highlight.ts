import { createLowlight } from 'lowlight';
import type { LanguageFn } from 'highlight.js';

type Language = { readonly default: LanguageFn };
type Nodes = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'];

/** A piece of text with one look. `className` is empty for plain text. */
export interface Token {
  readonly text: string;
  readonly className: string;
}

/** Loaded when a text of the language is shown first. */
const LANGUAGES: Readonly<Record<string, () => Promise<Language>>> = {
  astro: async () => ({ default: astro((await import('highlight.js/lib/languages/xml')).default) }),
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  go: () => import('highlight.js/lib/languages/go'),
  html: () => import('highlight.js/lib/languages/xml'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  jupyter: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  svelte: () => import('highlight.js/lib/languages/xml'),
  tsx: () => import('highlight.js/lib/languages/typescript'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  vue: () => import('highlight.js/lib/languages/xml'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const PAGE_PARTS = ['css', 'javascript'];
/** Languages inside others: without them, scripts and styles in a page have no colours. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  astro: [...PAGE_PARTS, 'typescript'],
  html: PAGE_PARTS,
  svelte: PAGE_PARTS,
  vue: PAGE_PARTS,
};

/** A page that begins with its script, between two lines of dashes. */
function astro(xml: LanguageFn): LanguageFn {
  return (hljs) => {
    const page = xml(hljs);
    const script = { begin: /^---$/, end: /^---$/, subLanguage: 'typescript' };
    return { ...page, contains: [script, ...page.contains] };
  };
}

const lowlight = createLowlight();

/** Longer texts, and those with a longer line, have no colours: they are made, not written, and would hold up the page. */
const MAX_CHARS = 300_000;
const MAX_LINE_CHARS = 10_000;

const isLong = (text: string): boolean =>
  text.length > MAX_CHARS || text.split('\n').some(({ length }) => length > MAX_LINE_CHARS);

/** The tokens of a text; one plain token for a language that is not in the list, and for a very long text or line. */
export async function highlight(text: string, language: string): Promise<readonly Token[]> {
  if (!LANGUAGES[language] || isLong(text)) return [{ text, className: '' }];
  await Promise.all([language, ...(PARTS[language] ?? [])].map(register));
  await painted();
  return flatten(lowlight.highlight(language, text).children, '');
}

async function register(language: string): Promise<void> {
  const load = LANGUAGES[language];
  if (load && !lowlight.registered(language)) lowlight.register(language, (await load()).default);
}

/** Text that is to be seen comes before its colours: a list of results has twenty of them. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function flatten(nodes: Nodes, className: string): Token[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [{ text: node.value, className }];
    if (node.type !== 'element') return [];
    return flatten(node.children, [node.properties['className'] ?? className].flat().join(' '));
  });
}
