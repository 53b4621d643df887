import { Thread, ThreadFailure } from '@service-mcp/core';
import type { GraphTasks, ParsedTexts, ParseTask, Resolved, ResolveTask } from './graph-tasks.js';
import { ResolveProgress } from './resolve-progress.js';

export interface ThreadLimits {
  /** Heap of the thread; the process goes on where it ends. */
  readonly heapMiB: number;
  /** After so long without a task the thread ends, and its memory is given back. */
  readonly idleMs: number;
}

/** A project could not be resolved. `paths`: of the group of files at which it failed; empty where that is not known. */
export class ResolveFailure extends ThreadFailure {
  readonly paths: ReadonlySet<string>;

  constructor(failure: ThreadFailure, paths: ReadonlySet<string>) {
    super(failure.message, { cause: failure.cause });
    this.paths = paths;
  }
}

/** How long a batch of texts takes at most, beyond the time limit of one parse. */
const BATCH_MS = 30_000;
const ADD_MS = 60_000;
/** Larger projects and groups have as many times the time to resolve. */
const FILES_PER_LIMIT = 1000;
/** How often the group that a thread resolves is looked at. */
const WATCH_MS = 200;
/** A quarter of V8's: almost all that a resolution makes lives as long as it, and no time is saved by more. */
const YOUNG_MIB = 12;

/** The thread that parses and resolves. Rejects as {@link Thread} does. */
export class GraphThread {
  readonly #thread: Thread;

  /** `module`: what the thread runs, with the functions of `GraphTasks`. */
  constructor(module: URL, limits: ThreadLimits) {
    this.#thread = new Thread({ module, ...limits, youngMiB: YOUNG_MIB });
  }

  async parse(task: ParseTask, signal: AbortSignal): Promise<ParsedTexts> {
    const limitMs = task.limits.timeLimitMs + BATCH_MS;
    const result: ParsedTexts = await this.#run('parseTexts', task, limitMs, signal);
    if (result.spent) await this.#thread.replace();
    return result;
  }

  addStructures(structures: Parameters<GraphTasks['addStructures']>[0], signal: AbortSignal): Promise<void> {
    return this.#run('addStructures', structures, ADD_MS, signal);
  }

  /**
   * `limitMs`: for a project of up to {@link FILES_PER_LIMIT} files, and for a group of as many that affect each other.
   * Rejects with a {@link ResolveFailure}.
   */
  async resolve(
    task: Omit<ResolveTask, 'progress'>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Resolved> {
    const limitOf = (files: number): number => limitMs * Math.max(1, files / FILES_PER_LIMIT);
    const progress = ResolveProgress.ofFiles(task.files.length);
    const hung = new AbortController();
    let current = { groups: progress.groups, since: performance.now() };
    const watch = setInterval(() => {
      const { groups } = progress;
      const now = performance.now();
      if (groups !== current.groups) current = { groups, since: now };
      else if (groups > 0 && now - current.since > limitOf(progress.files.length))
        hung.abort(
          new ThreadFailure(`no end of one group of files after ${Math.round(now - current.since)} ms`),
        );
    }, WATCH_MS);
    try {
      const either = AbortSignal.any([signal, hung.signal]);
      const posted = { ...task, progress: progress.shared };
      return await this.#run('resolve', posted, limitOf(task.files.length), either);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      throw new ResolveFailure(
        error,
        new Set(progress.files.flatMap((index) => task.files[index]?.path ?? [])),
      );
    } finally {
      clearInterval(watch);
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #run<Result>(name: keyof GraphTasks, task: unknown, limitMs: number, signal: AbortSignal): Promise<Result> {
    return this.#thread.run(name, task, { limitMs, signal });
  }
}
