import type { ParsedTexts, ParseTask } from '@service-mcp/plugin-graph/internals';
import { parseTexts as parseReally, resolve as resolveReally } from './name-resolver.js';

export { addStructures } from './name-resolver.js';

/** Texts that this thread was given. */
const seen = new Set<string>();

/**
 * The entry point of a thread that ends on a text named `crashes.go`, and in which the time runs out for `slow.go` at the
 * first attempt and for `endless.go` at each one; `complex.go` takes too many steps.
 */
export async function parseTexts(task: ParseTask): Promise<ParsedTexts> {
  if (task.texts.some(({ path }) => path.endsWith('crashes.go'))) process.exit(1);
  const isSlow = ({ path, hash }: ParseTask['texts'][number]) =>
    path === 'endless.go' || (path === 'slow.go' && !seen.has(hash));
  const slow = task.texts.filter(isSlow).map(({ hash }) => hash);
  for (const { hash } of task.texts) seen.add(hash);
  const complex = task.texts.filter(({ path }) => path === 'complex.go').map(({ hash }) => hash);
  const texts = task.texts.filter(({ hash }) => !slow.includes(hash) && !complex.includes(hash));
  const result = await parseReally({ ...task, texts });
  const skipped = new Map([
    ...result.skipped,
    ...slow.map((hash) => [hash, 'too_slow'] as const),
    ...complex.map((hash) => [hash, 'too_complex'] as const),
  ]);
  return { ...result, parsed: result.parsed + slow.length + complex.length, skipped };
}

let first: string | null | undefined;
let hasFailed = false;

/** Fails once with the second text of a file that is named `flaky.go`. */
export function resolve(...[task]: Parameters<typeof resolveReally>): ReturnType<typeof resolveReally> {
  const structure = task.files.find(({ path }) => path === 'flaky.go')?.structure;
  first ??= structure;
  if (structure === first || hasFailed) return resolveReally(task);
  hasFailed = true;
  throw new Error('a fault of the test');
}
