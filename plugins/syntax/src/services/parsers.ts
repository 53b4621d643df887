import { ServiceError } from '@service-mcp/core';
import type { SyntaxConfig } from '../config.js';
import type { Structure, Syntax } from '../contract.js';
import { DOCUMENTS } from '../documents/index.js';
import { GRAMMARS } from '../grammars/index.js';
import { languageOf } from '../languages/detect.js';
import { Lanes } from './lanes.js';

/** Parses in worker threads, within limits of size and time. */
export class Parsers implements Syntax {
  readonly #config: SyntaxConfig;
  readonly #lanes: Lanes | undefined; // absent: a hostile source can break the WASM heap, so never on this thread
  #closed = false;

  constructor(config: SyntaxConfig) {
    this.#config = config;
    if (config.threads > 0) this.#lanes = new Lanes(config.threads);
  }

  languageOf(path: string, text?: string): string | null {
    return languageOf(path, text);
  }

  languages(): readonly string[] {
    return [...GRAMMARS.keys(), ...DOCUMENTS.keys()].filter((id) => id !== 'tsx').sort();
  }

  async parse(
    source: { readonly path: string; readonly language?: string | null; readonly text: string },
    signal?: AbortSignal,
  ): Promise<Structure> {
    signal?.throwIfAborted();
    if (this.#closed) {
      throw new ServiceError('UNAVAILABLE', 'The service is stopping. Try again when it is back.');
    }
    const { path, text } = source;
    const language = source.language ?? languageOf(path, text);
    const parser = language === null ? undefined : parserOf(language, path);
    if (parser === undefined) return { language, symbols: [], complete: true };
    if (Buffer.byteLength(text) > this.#config.max_bytes) return { language, symbols: [], complete: false };
    if (!this.#lanes) {
      const document = DOCUMENTS.get(parser);
      return { language, symbols: document?.(text) ?? [], complete: document !== undefined };
    }
    const extracted = await this.#lanes.run({ parser, text, limit: this.#config.time_limit_ms }, signal);
    return { language, symbols: extracted?.symbols ?? [], complete: extracted?.complete ?? false };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#lanes?.close();
  }
}

/** TSX is TypeScript to a reader, and a grammar of its own to the parser. */
function parserOf(language: string, path: string): string | undefined {
  const id = language === 'typescript' && /\.tsx$/i.test(path) ? 'tsx' : language;
  return GRAMMARS.has(id) || DOCUMENTS.has(id) ? id : undefined;
}
