import type { CodeFacts } from '@service-mcp/plugin-graph/contract';
import { analyse } from '@service-mcp/plugin-search/contract';

/** The words in the paths of a project and in the names that its files declare. */
export interface NameIndex {
  /** Files with the words of a text, the best first; `share`: of its words, rare ones counting more, 0 to 1. */
  match(text: string, limit: number): Array<{ readonly path: string; readonly share: number }>;
  /** The files that have each word of a text in their path, for words that few files have. */
  rareWords(text: string): Array<ReadonlySet<string>>;
}

/** A word in the path says more about a file than one in a name. */
const IN_PATH = 1;
const IN_NAMES = 0.5;
/** Of a file whose whole name a text spells. */
const SPELLED = 0.5;
/** Of the files: a word in more paths does not mark any of them. */
const RARE = 0.03;

/** Files by word, with the weight of the word for the file. */
type Postings = ReadonlyMap<string, ReadonlyMap<string, number>>;
type Files = ReturnType<CodeFacts['files']>;

const cached = new WeakMap<Files, Postings>();

export function nameIndexOf(facts: CodeFacts): NameIndex {
  const files = facts.files();
  const postings = cached.get(files) ?? readNames(files);
  cached.set(files, postings);
  return {
    rareWords: (text) =>
      [...new Set(analyse(text))].flatMap((term) => {
        const held = [...(postings.get(term) ?? [])].filter(([, weight]) => weight === IN_PATH);
        const isRare = held.length > 0 && held.length <= RARE * files.length;
        return isRare ? [new Set(held.map(([path]) => path))] : [];
      }),
    match(text, limit) {
      const scores = new Map<string, number>();
      let whole = 0;
      for (const term of new Set(analyse(text))) {
        const held = postings.get(term);
        if (!held) continue; // a word of no name tells files apart no better
        const weight = Math.log(1 + files.length / (1 + held.size));
        whole += weight;
        for (const [path, share] of held) scores.set(path, (scores.get(path) ?? 0) + weight * share);
      }
      const terms = new Set(analyse(text));
      return [...scores]
        .map(([path, score]) => ({ path, share: score / whole + (isSpelled(path, terms) ? SPELLED : 0) }))
        .sort((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1))
        .slice(0, limit);
    },
  };
}

/** Does a text have all words of the name of a file, of which there are several: “ingest a file” of `ingest-files.ts`? */
function isSpelled(path: string, terms: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^./]+$/u, '');
  const words = new Set(analyse(name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')));
  return words.size > 1 && [...words].every((word) => terms.has(word));
}

function readNames(files: Files): Postings {
  const postings = new Map<string, Map<string, number>>();
  for (const { path, names } of files) {
    const weights = new Map(analyse(names.join(' ')).map((term) => [term, IN_NAMES]));
    for (const term of analyse(path)) weights.set(term, IN_PATH);
    for (const [term, weight] of weights) {
      const held = postings.get(term) ?? new Map<string, number>();
      postings.set(term, held.set(path, weight));
    }
  }
  return postings;
}
