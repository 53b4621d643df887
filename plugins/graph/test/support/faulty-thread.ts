import type { ParsedTexts, ParseTask } from '@service-mcp/plugin-graph/internals';
import { parseTexts as parseReally } from './name-resolver.js';

export { addStructures, resolve } from './name-resolver.js';

/** Texts that this thread was given. */
const seen = new Set<string>();

/**
 * The entry point of a thread that ends on a text named `crashes.go`, and in which the time runs out for `slow.go` at the
 * first attempt and for `endless.go` at each one.
 */
export async function parseTexts(task: ParseTask): Promise<ParsedTexts> {
  if (task.texts.some(({ path }) => path.endsWith('crashes.go'))) process.exit(1);
  const isSlow = ({ path, hash }: ParseTask['texts'][number]) =>
    path === 'endless.go' || (path === 'slow.go' && !seen.has(hash));
  const slow = task.texts.filter(isSlow).map(({ hash }) => hash);
  for (const { hash } of task.texts) seen.add(hash);
  const texts = task.texts.filter(({ hash }) => !slow.includes(hash));
  const result = await parseReally({ ...task, texts });
  const skipped = new Map([...result.skipped, ...slow.map((hash) => [hash, 'too_slow'] as const)]);
  return { ...result, parsed: result.parsed + slow.length, skipped };
}
