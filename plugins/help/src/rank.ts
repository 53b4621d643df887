import { LEVELS, type ToolInfo } from '@service-mcp/core';

/** How much a word says of a tool by where it stands. */
const WEIGHTS = { name: 4, title: 3, description: 1 } as const;
/** What a word that only begins like one of the tool's is worth beside the same word. */
const PREFIX = 0.6;
/** Fewer letters begin too many words. */
const SHORTEST_PREFIX = 3;
const MOST_WORDS = 30;
/** Words of a question that say nothing of what it is about. */
const EMPTY = new Set(
  'a all an and any are as at be by can do does for from has have how i in into is it its me my of on one or our some that the their there this to us want was we what when where which who with you your'.split(
    ' ',
  ),
);

type Field = keyof typeof WEIGHTS;
type Words = Readonly<Record<Field, ReadonlySet<string>>>;

/**
 * The tools that speak of what is asked for, best first: a word counts by where it stands and by how few tools have it
 * (the inverse document frequency of https://doi.org/10.1108/eb026526), and words add up. Of two that match alike, the one that reads comes first, then the
 * one that more conversations see.
 */
export function rankTools(query: string, tools: readonly ToolInfo[]): ToolInfo[] {
  const asked = [...new Set(wordsOf(query))].filter((word) => !EMPTY.has(word)).slice(0, MOST_WORDS);
  const documents = tools.map((tool): Words => ({
    name: new Set(wordsOf(tool.name)),
    title: new Set(wordsOf(tool.title)),
    description: new Set(wordsOf(tool.description)),
  }));
  const scores = tools.map(() => 0);
  for (const word of asked) {
    const matches = documents.map((words) => match(word, words));
    const having = matches.filter((score) => score > 0).length;
    if (having === 0) continue;
    const rarity = Math.log(1 + tools.length / having);
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
    const there = words[field];
    if (there.has(word)) best = Math.max(best, WEIGHTS[field]);
    else if (word.length >= SHORTEST_PREFIX && [...there].some((other) => begins(word, other)))
      best = Math.max(best, WEIGHTS[field] * PREFIX);
  }
  return best;
}

function begins(word: string, other: string): boolean {
  return other.length >= SHORTEST_PREFIX && (other.startsWith(word) || word.startsWith(other));
}

/** Words without the endings that English puts on them: `files`, `reading` and `read` meet. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ies|es|ed|s)$/u, '') : word,
  );
}
