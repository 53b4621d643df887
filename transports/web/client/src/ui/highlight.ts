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
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  tsx: () => import('highlight.js/lib/languages/typescript'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const lowlight = createLowlight();

/** The tokens of a text; one plain token for a language that is not in the list. */
export async function highlight(text: string, language: string): Promise<readonly Token[]> {
  const load = LANGUAGES[language];
  if (!load) return [{ text, className: '' }];
  if (!lowlight.registered(language)) lowlight.register(language, (await load()).default);
  await painted();
  return flatten(lowlight.highlight(language, text).children, '');
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
