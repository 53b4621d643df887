import type { CodeFacts } from '@service-mcp/plugin-graph/contract';
import { isTest } from '../services/is-test.js';
import type { FoundFile } from './evidence.js';

const MAX_TESTS = 5;
/** What a test counts that is named like a file, one for each file that it uses, and what the search found. */
const NAMED_ALIKE = 3;
const USES = 1;
/** Of a test that no edge leads from: it must be near, by its path. */
const MIN_SHARED_NAMES = 2;
/** Fixtures and snapshots. */
const DATA =
  /\.(?:json|txt|md|snap|symbols|ya?ml|csv|html|xml)$|(?:^|\/)(?:fixtures|snapshots|__snapshots__)\//iu;

/** Tests of some files, the best first: those that use them, are named like them, or lie near and match the requirements. */
export function findTests(
  files: readonly FoundFile[],
  tests: readonly FoundFile[],
  facts: ReadonlyMap<string, CodeFacts>,
): string[] {
  const scores = new Map<string, number>();
  const add = (path: string, score: number) => scores.set(path, (scores.get(path) ?? 0) + score);
  const names = new Set(files.map(({ path }) => stem(path)));
  for (const { projectId, path } of files)
    for (const user of facts.get(projectId)?.linksOf(path).usedBy.keys() ?? [])
      if (isTest(user) && !DATA.test(user)) add(user, USES);
  for (const { path, score } of tests) {
    if (DATA.test(path)) continue;
    const isNear = files.some((file) => sharedNames(file.path, path) >= MIN_SHARED_NAMES);
    if (scores.has(path) || isNear || names.has(stem(path))) add(path, score);
  }
  for (const [path] of scores) if (names.has(stem(path))) add(path, NAMED_ALIKE);
  return [...scores]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_TESTS)
    .map(([path]) => path);
}

/** `upload` of `src/upload.ts`, `test/upload.test.ts` and `tests/test_upload.py`. */
function stem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).split('.')[0] ?? '';
  return name.replace(/^test_|_test$|_spec$|Tests?$|Spec$/u, '').toLowerCase();
}

/** Directories that two paths begin with. */
function sharedNames(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const differs = one.findIndex((name, i) => name !== other[i]);
  return differs < 0 ? one.length : differs;
}
