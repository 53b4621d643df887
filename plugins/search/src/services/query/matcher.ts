import { stoppingError } from '@service-mcp/core';
import type { Piscina } from 'piscina';
import { threadPool } from '../thread-pool.js';
import { matchDocument, type Matched, type MatchTask } from './match-document.js';
import type { CompiledPattern } from './regex.js';

const WORKER = new URL('./match-document.js', import.meta.url);
/** As many as patterns run at the same time, or one tenant's would delay another's. */
const MAX_THREADS = 3;
const IDLE_MS = 30_000;
/** Time after its deadline in which a thread can answer with its matches so far; then it is terminated. */
const GRACE_MS = 250;
/** Code units of a text, and engine steps over it, that run on this thread: a millisecond as a rule, forty at worst. */
const INLINE_TEXT = 262_144;
const INLINE_STEPS = 4_000_000;

/**
 * Finds matches without blocking other calls. Linear time is still text times pattern: a megabyte under a
 * pattern of a thousand states takes a minute, in one step of the engine that nothing interrupts. Such work runs
 * in a thread, which is terminated when its time is up.
 */
export class Matcher {
  #pool: Piscina<MatchTask, Matched> | undefined;
  #closed = false;

  /** Undefined if time ran out without a result. Rejects with the signal's reason. */
  async match(
    task: MatchTask,
    compiled: CompiledPattern,
    signal: AbortSignal | undefined,
  ): Promise<Matched | undefined> {
    const { length } = task.text;
    if (!mayMatch(task.text, compiled)) return NONE;
    if (length <= INLINE_TEXT && length * compiled.regex.programSize() <= INLINE_STEPS)
      return matchDocument(task, compiled);
    if (this.#closed) throw stoppingError();
    this.#pool ??= threadPool(WORKER, { maxThreads: MAX_THREADS, idleTimeout: IDLE_MS });
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, task.deadline + GRACE_MS - Date.now());
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.#pool.run(task, { name: 'matchTask', signal: stop.signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#closed) throw stoppingError();
      if (stop.signal.aborted) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.destroy();
  }
}

const NONE: Matched = { total: 0, regions: [], whole: true };

/** False where what every match has is missing. */
function mayMatch(text: string, { required }: CompiledPattern): boolean {
  if (!required) return true;
  required.lastIndex = 0;
  return required.test(text);
}
