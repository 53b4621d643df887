import type { Evidence, FoundFile } from './evidence.js';

/** Files of a plan: of any requirements, and more for each of their parts, up to a limit. */
const FILES = 14;
const FILES_OF_PART = 3;
const MAX_FILES = 32;
/** Of the best score; files below it are there by chance. */
const MIN_SHARE = 0.15;
/** Of each rare word of a part that none of the files has in its path, so many that have it. */
const BEST_OF_WORD = 1;
/** Of each part, so many of its best files are taken, whatever the others score. */
const BEST_OF_PART = 2;
/** Files that use so many of the chosen ones are taken, too. */
const MIN_USED = 3;
const MAX_UNITERS = 3;
const MAX_DOCUMENTS = 5;
/** Records of earlier decisions: a source, not a place to change. */
const RECORDS = /(?:^|\/)(?:adrs?|decisions|rfcs?)\//iu;
const CHANGELOG = /^(?:changelog|changes|history)\.(?:md|rst|txt|adoc)$/iu;

/** The code and the documents that a plan changes, the best first. */
export function selectFiles({ files, parts, names, facts }: Evidence): {
  readonly code: readonly FoundFile[];
  readonly documents: readonly FoundFile[];
} {
  const all = files.filter(({ kind }) => kind === 'code');
  const limit = Math.min(MAX_FILES, FILES + FILES_OF_PART * parts.length);
  const least = MIN_SHARE * (all[0]?.score ?? 0);
  const chosen = new Set(all.slice(0, limit).filter(({ score }) => score >= least));
  for (const part of parts.keys()) {
    const best = all
      .filter((file) => file.parts.has(part))
      .sort((a, b) => b.parts.get(part)! * b.score - a.parts.get(part)! * a.score);
    for (const file of best.slice(0, BEST_OF_PART)) chosen.add(file);
  }
  // One subject of a part may drown the others: “limit the rate of the ingest route” is about ingest, too.
  for (const [projectId, index] of names) {
    const own = all.filter((file) => file.projectId === projectId);
    for (const { text } of parts)
      for (const paths of index.rareWords(text)) {
        if ([...chosen].some((file) => file.projectId === projectId && paths.has(file.path))) continue;
        for (const file of own.filter(({ path }) => paths.has(path)).slice(0, BEST_OF_WORD)) chosen.add(file);
      }
  }
  for (const file of unitersOf(chosen, facts, all)) chosen.add(file);
  const documents = files.filter(({ kind, path }) => kind === 'doc' && !RECORDS.test(path));
  const changelog = documents.filter(({ path }) => CHANGELOG.test(path));
  return {
    code: all.filter((file) => chosen.has(file)),
    documents: [...new Set([...documents.slice(0, MAX_DOCUMENTS), ...changelog.slice(0, 1)])],
  };
}

/** Files that use several of the chosen ones: where a new one of their kind is registered. */
function unitersOf(
  chosen: ReadonlySet<FoundFile>,
  facts: Evidence['facts'],
  all: readonly FoundFile[],
): FoundFile[] {
  const used = new Map<string, number>();
  for (const { projectId, path } of chosen)
    for (const user of facts.get(projectId)?.linksOf(path).usedBy.keys() ?? [])
      used.set(`${projectId} ${user}`, (used.get(`${projectId} ${user}`) ?? 0) + 1);
  return all
    .filter((file) => !chosen.has(file) && countOf(file) >= MIN_USED)
    .sort((a, b) => countOf(b) - countOf(a) || b.score - a.score)
    .slice(0, MAX_UNITERS);

  function countOf({ projectId, path }: FoundFile): number {
    return used.get(`${projectId} ${path}`) ?? 0;
  }
}
