import { ServiceError, type CallContext, type Catalog } from '@service-mcp/core';

/** Keeps the catalog subscribed to the resources that one stream or connection currently watches. */
export class ResourceWatch {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  #uris: readonly string[] = [];
  #stop: () => void = () => undefined;
  #lastChange: Promise<void> = Promise.resolve();
  #closed = false;

  /** `makeCall` makes a context for each subscription: one made once could be past its deadline by then. */
  constructor(catalog: Catalog, makeCall: () => CallContext | Promise<CallContext>) {
    this.#catalog = catalog;
    this.#makeCall = makeCall;
  }

  /** Replaces the watched resources. Those that the caller can no longer read are skipped; so is a change that fails. */
  set(uris: readonly string[]): void {
    this.#lastChange = this.#lastChange.then(() => this.#change(uris)).catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  async #change(uris: readonly string[]): Promise<void> {
    if (this.#closed || (uris.length === this.#uris.length && uris.every((uri) => this.#uris.includes(uri))))
      return;
    const stop = await this.#subscribe(uris);
    this.#uris = uris; // only after success, so that a failed change is tried again
    this.#stop();
    this.#stop = stop;
    if (this.#closed) stop();
  }

  async #subscribe(uris: readonly string[]): Promise<() => void> {
    const call = await this.#makeCall();
    try {
      return await this.#catalog.subscribe(uris, call);
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown;
    }
    const readable = (await Promise.all(uris.map((uri) => this.#ifReadable(uri, call)))).flat();
    return readable.length === 0 ? () => undefined : this.#catalog.subscribe(readable, call);
  }

  async #ifReadable(uri: string, call: CallContext): Promise<readonly string[]> {
    try {
      await this.#catalog.readResource(uri, call);
      return [uri];
    } catch (thrown) {
      if (isNotFound(thrown)) return [];
      throw thrown;
    }
  }
}

function isNotFound(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'NOT_FOUND';
}
