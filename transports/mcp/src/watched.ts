import { ServiceError, type CallContext, type Catalog } from '@service-mcp/core';

/** The resources of which one stream or connection wants to hear, as the catalog is told. */
export class Watched {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  #uris: readonly string[] = [];
  #stop: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  /** `makeCall` makes the context of each look: one that is made once may be out of time by then. */
  constructor(catalog: Catalog, makeCall: () => CallContext | Promise<CallContext>) {
    this.#catalog = catalog;
    this.#makeCall = makeCall;
  }

  /** These from now on. One that the caller may not read any more is left out, and so is what cannot be asked for. */
  set(uris: readonly string[]): void {
    this.#turn = this.#turn.then(() => this.#change(uris)).catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  async #change(uris: readonly string[]): Promise<void> {
    if (this.#closed || (uris.length === this.#uris.length && uris.every((uri) => this.#uris.includes(uri))))
      return;
    const stop = await this.#watch(uris);
    this.#uris = uris; // not where it fails: what could not be had now is asked for again
    this.#stop();
    this.#stop = stop;
    if (this.#closed) stop();
  }

  async #watch(uris: readonly string[]): Promise<() => void> {
    const call = await this.#makeCall();
    try {
      return await this.#catalog.subscribe(uris, call);
    } catch (thrown) {
      if (!isAbsence(thrown)) throw thrown;
    }
    const readable = (await Promise.all(uris.map((uri) => this.#ifReadable(uri, call)))).flat();
    return readable.length === 0 ? () => undefined : this.#catalog.subscribe(readable, call);
  }

  async #ifReadable(uri: string, call: CallContext): Promise<readonly string[]> {
    try {
      await this.#catalog.readResource(uri, call);
      return [uri];
    } catch (thrown) {
      if (isAbsence(thrown)) return [];
      throw thrown;
    }
  }
}

function isAbsence(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'NOT_FOUND';
}
