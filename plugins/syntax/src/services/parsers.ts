import { createHash } from 'node:crypto';
import { stoppingError } from '@service-mcp/core';
import type { SyntaxConfig } from '../config.js';
import type { ParseLimits, Source, Structure, Syntax } from '../contract.js';
import { DOCUMENTS } from '../documents/index.js';
import { EMBEDDED } from '../embedded/index.js';
import { GRAMMARS } from '../grammars/index.js';
import { chooseParser } from '../languages/choose-parser.js';
import { languageNamed, languageOf } from '../languages/detect.js';
import { WorkerThreads } from './worker-threads.js';
import { SharedParses, type Parsed } from './shared-parses.js';

/** Parses in worker threads, within limits of size and time. Consumers of the same text share one parse. */
export class Parsers implements Syntax {
  readonly limits: ParseLimits;
  readonly #threads: WorkerThreads | undefined; // never this thread: hostile source can crash the WASM heap
  readonly #shared: SharedParses;
  #closed = false;

  constructor(config: SyntaxConfig) {
    this.limits = {
      timeLimitMs: config.time_limit_ms,
      maxBytes: config.max_bytes,
      parseCode: config.threads > 0,
    };
    this.#shared = new SharedParses(config.cache_bytes);
    if (config.threads > 0) this.#threads = new WorkerThreads(config.threads);
  }

  languageOf(path: string, text?: string): string | null {
    return languageOf(path, text);
  }

  languageNamed(name: string): string {
    return languageNamed(name);
  }

  languages(): readonly string[] {
    return [...GRAMMARS.keys(), ...DOCUMENTS.keys(), ...EMBEDDED.keys()].filter((id) => id !== 'tsx').sort();
  }

  async parse(source: Source, signal?: AbortSignal): Promise<Structure> {
    signal?.throwIfAborted();
    if (this.#closed) throw stoppingError();
    const chosen = chooseParser(source, this.limits);
    if (!('parser' in chosen)) return chosen;
    const { language, parser, text } = chosen;
    const { path } = source;
    if (!this.#threads) return { language, symbols: DOCUMENTS.get(parser)?.(text) ?? [], complete: true };
    const threads = this.#threads;
    const task = { parser, path, text, limit: this.limits.timeLimitMs, code: false };
    const parse = async (stop: AbortSignal): Promise<Parsed> => {
      const extracted = await threads.run(task, stop);
      if (!extracted) return { structure: { language, symbols: [], complete: false }, repeatable: false };
      const { symbols, complete, expired } = extracted;
      return { structure: { language, symbols, complete }, repeatable: !expired };
    };
    const hash = createHash('sha256').update(text).digest('base64');
    return this.#shared.get(`${language} ${parser} ${hash}`, parse, signal);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#threads?.close();
  }
}
