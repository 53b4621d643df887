import { ServiceError } from '@service-mcp/core';
import { Piscina } from 'piscina';
import { matchDocument, type Matched, type MatchTask } from './match-document.js';
import type { CompiledPattern } from './regex.js';

const WORKER = new URL('./match-document.js', import.meta.url).href;
const MOST_THREADS = 2;
const IDLE_MS = 30_000;
/** Past its deadline a thread has this long to answer with what it found, then it is ended. */
const GRACE_MS = 250;
/** Code units of a text, and steps of the engine over it, that may hold up other calls: some ten milliseconds. */
const INLINE_TEXT = 32_768;
const INLINE_STEPS = 1_000_000;

/**
 * Finds matches without holding up other calls. Linear time is still text times pattern: a megabyte under a
 * pattern of a thousand states takes a minute, in one step of the engine that nothing interrupts. Such work goes
 * to a thread, which is ended when its time is up.
 */
export class Matcher {
  #pool: Piscina<MatchTask, Matched> | undefined;
  #closed = false;

  /** Undefined where the time was up before anything could be told. Rejects with the signal's reason. */
  async match(
    task: MatchTask,
    compiled: CompiledPattern,
    signal: AbortSignal | undefined,
  ): Promise<Matched | undefined> {
    const { length } = task.text;
    if (length <= INLINE_TEXT && length * compiled.regex.programSize() <= INLINE_STEPS)
      return matchDocument(task, compiled);
    if (this.#closed) throw stopping();
    this.#pool ??= new Piscina<MatchTask, Matched>({
      filename: WORKER,
      // Else piscina loads the module by require(), and a thread ended meanwhile takes the whole process with it (Node 20).
      execArgv: ['--no-experimental-require-module'],
      minThreads: 0,
      maxThreads: MOST_THREADS,
      idleTimeout: IDLE_MS,
    });
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const timer = setTimeout(abort, task.deadline + GRACE_MS - Date.now());
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.#pool.run(task, { name: 'matchTask', signal: stop.signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#closed) throw stopping();
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

function stopping(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The service is stopping. Try again when it is back.');
}
