import { LRUCache } from 'lru-cache';
import type { Structure } from '../contract.js';

/** `repeatable`: another parse of the same text gives the same structure. */
export interface Parsed {
  readonly structure: Structure;
  readonly repeatable: boolean;
}

interface Running {
  readonly result: Promise<Structure>;
  readonly control: AbortController;
  consumers: number;
}

/** Parses each text once for concurrent consumers, and for later ones while it is cached. */
export class SharedParses {
  readonly #cache: LRUCache<string, Structure> | undefined;
  readonly #running = new Map<string, Running>();

  /** `bytes` limits the estimated size of the cached structures; 0 caches nothing. */
  constructor(bytes: number) {
    if (bytes > 0) this.#cache = new LRUCache({ maxSize: bytes, sizeCalculation: bytesOf });
  }

  /**
   * The structure of `key` from the cache, a running parse, or a new `parse`, which is aborted when all its consumers
   * have aborted. Rejects as `parse` does, or with the reason of `signal`.
   */
  async get(
    key: string,
    parse: (signal: AbortSignal) => Promise<Parsed>,
    signal: AbortSignal | undefined,
  ): Promise<Structure> {
    const cached = this.#cache?.get(key);
    if (cached) return cached;
    const running = this.#running.get(key) ?? this.#start(key, parse);
    running.consumers += 1;
    try {
      return await unlessAborted(running.result, signal);
    } finally {
      running.consumers -= 1;
      if (running.consumers === 0) {
        // No consumer is left. The abort has no effect after the parse has ended.
        this.#forget(key, running);
        running.control.abort();
      }
    }
  }

  #start(key: string, parse: (signal: AbortSignal) => Promise<Parsed>): Running {
    const control = new AbortController();
    const result = parse(control.signal).then(({ structure, repeatable }) => {
      if (repeatable) this.#cache?.set(key, structure);
      return structure;
    });
    const running: Running = { result, control, consumers: 0 };
    this.#running.set(key, running);
    void result.catch(() => {}).finally(() => this.#forget(key, running)); // consumers get the rejection
    return running;
  }

  #forget(key: string, running: Running): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}

function unlessAborted<Value>(result: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return result;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Heap size of one entry without the characters of its strings, as measured. */
const OBJECT_BYTES = 180;

function bytesOf({ symbols }: Structure): number {
  return symbols.reduce((bytes, symbol) => bytes + OBJECT_BYTES + lengthOf(symbol), OBJECT_BYTES);
}

function lengthOf(entry: object): number {
  let length = 0;
  for (const value of Object.values(entry)) if (typeof value === 'string') length += value.length;
  return length;
}
