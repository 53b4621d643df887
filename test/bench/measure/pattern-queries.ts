export type Selectivity = 'selective' | 'medium' | 'none';

export interface PatternQuery {
  readonly query: string;
  readonly selectivity: Selectivity;
  /** Any case. */
  readonly ignoreCase?: boolean;
  readonly wholeWord?: boolean;
}

const SELECTIVE = [
  'createServer',
  'deserialize\\w*\\(',
  'ECONNREFUSED|ETIMEDOUT',
  'AbortSignal\\.(?:any|timeout)',
  'export (?:default )?class \\w*Parser',
  'process\\.env\\[?["\']?NODE_ENV',
  'setTimeout\\([^,]+, 1000\\)',
  '^#+ Installation',
  'https?://www\\.rfc-editor\\.org',
  'addEventListener\\(.abort',
  'throw new RangeError\\(',
  'new Uint32Array\\(\\d+\\)',
  '@deprecated since \\w+',
  'instanceof ReadableStream',
  'Symbol\\.asyncIterator\\]',
  'import .* from .typebox',
  'function\\s+parse[A-Z]\\w+\\(',
  'interface \\w+Options extends',
  'colou?r(?:ize|ise)',
  'module\\.exports = \\{ ',
] as const;

const SELECTIVE_IN_ANY_CASE = ['unicode category', 'httpserver', 'kelvin', 'mit license'] as const;
const WHOLE_WORDS = ['backpressure', 'mutex'] as const;

const MEDIUM = [
  'require\\(["\']node:',
  'async function \\w+',
  'Promise<\\w+>',
  'extends \\w+',
  '\\bstring [|] undefined',
  'for \\(const \\w+ of',
  '@param \\{\\w+\\}',
  'JSON\\.(?:parse|stringify)',
] as const;

const NONE = [
  '\\d{4}-\\d{2}-\\d{2}',
  '[A-Z]{3}_[A-Z]{3}',
  '^\\s*\\w+\\(\\);$',
  '[0-9a-f]{16}',
  '\\w+\\[\\w+\\]\\[\\w+\\]',
  '"[A-Za-z ,.]{60,}"',
] as const;

const of = (selectivity: Selectivity, queries: readonly string[]): PatternQuery[] =>
  queries.map((query) => ({ query, selectivity }));

/** Forty patterns over JavaScript, TypeScript and Markdown: of rare literals, of common ones, and without one. */
export const PATTERN_QUERIES: readonly PatternQuery[] = [
  ...of('selective', SELECTIVE),
  ...of('selective', SELECTIVE_IN_ANY_CASE).map((query) => ({ ...query, ignoreCase: true })),
  ...of('selective', WHOLE_WORDS).map((query) => ({ ...query, wholeWord: true })),
  ...of('medium', MEDIUM),
  ...of('none', NONE),
];
