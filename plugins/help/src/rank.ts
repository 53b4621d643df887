import { LEVELS, type ToolInfo } from '@service-mcp/core';

/** Weight of a word by the field that contains it. */
const WEIGHTS = { name: 4, title: 3, description: 1 } as const;
/** Relative weight of a prefix match. */
const PREFIX = 0.6;
/** Shorter prefixes match too many words. */
const MIN_PREFIX_LENGTH = 3;
const MAX_WORDS = 30;
const WORD = /[\p{L}\p{N}]+/gu;
/** Stop words. */
const STOP_WORDS = new Set(
  'a all an and any are as at be by can could do does for from has have how i in into is it its like me must my need of on one or our please should some that the their there this to us want was we what when where which who with would you your'.split(
    ' ',
  ),
);

/** The verbs of tools' names, and others that say the same. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  create: ['add', 'make', 'record', 'remember', 'save', 'store'],
  update: ['change', 'correct', 'edit', 'modify', 'rename'],
  delete: ['drop', 'erase', 'forget', 'remove'],
};
const VERB_OF = new Map(
  Object.entries(VERBS).flatMap(([verb, others]) =>
    others.flatMap(wordsOf).map((other): [string, string] => [other, wordsOf(verb)[0] ?? verb]),
  ),
);

/**
 * The verb of tools' names for the first word of a query, where it is another verb: a later one, and a plural, is as often
 * a noun, as in `the changes of a record`.
 */
function verbFor(first: string): string | undefined {
  return first.endsWith('s') ? undefined : VERB_OF.get(stemOf(first));
}

type Field = keyof typeof WEIGHTS;
type Words = Readonly<Record<Field, ReadonlySet<string>>>;

/**
 * Ranks the tools that match the query, best first: the sum over its words of field weight times inverse document
 * frequency (https://doi.org/10.1108/eb026526). Ties: read-only tools first, then tools of a smaller level.
 */
export function rankTools(query: string, tools: readonly ToolInfo[]): ToolInfo[] {
  const asWritten = (query.toLowerCase().match(WORD) ?? []).filter((word) => !STOP_WORDS.has(word));
  const words = asWritten.map(stemOf);
  const verb = asWritten[0] === undefined ? undefined : verbFor(asWritten[0]);
  const terms = [...new Set([...words, ...(verb === undefined ? [] : [verb])])].slice(0, MAX_WORDS);
  const documents = tools.map((tool): Words => ({
    name: new Set(wordsOf(tool.name)),
    title: new Set(wordsOf(tool.title)),
    description: new Set(wordsOf(tool.description)),
  }));
  const scores = tools.map(() => 0);
  for (const word of terms) {
    const matches = documents.map((words) => match(word, words));
    const matching = matches.filter((score) => score > 0).length;
    if (matching === 0) continue;
    const rarity = Math.log(1 + tools.length / matching);
    matches.forEach((score, i) => {
      scores[i] = (scores[i] ?? 0) + score * rarity;
    });
  }
  return tools
    .map((tool, i) => ({ tool, score: scores[i] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || harm(a.tool) - harm(b.tool) || weight(a.tool) - weight(b.tool))
    .map(({ tool }) => tool);
}

const harm = ({ effect }: ToolInfo) => (effect === 'read' ? 0 : 1);
const weight = ({ level }: ToolInfo) => (level === 'optional' ? LEVELS.length : LEVELS.indexOf(level));

function match(word: string, words: Words): number {
  let best = 0;
  for (const field of Object.keys(WEIGHTS) as Field[]) {
    const fieldWords = words[field];
    if (fieldWords.has(word)) best = Math.max(best, WEIGHTS[field]);
    else if (word.length >= MIN_PREFIX_LENGTH && [...fieldWords].some((other) => sharesPrefix(word, other)))
      best = Math.max(best, WEIGHTS[field] * PREFIX);
  }
  return best;
}

function sharesPrefix(word: string, other: string): boolean {
  return other.length >= MIN_PREFIX_LENGTH && (other.startsWith(word) || word.startsWith(other));
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).map(stemOf);
}

/** A word without English suffixes: `reads`, `reading` and `read` are equal. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ies|es|ed|s)$/u, '') : word;
}
