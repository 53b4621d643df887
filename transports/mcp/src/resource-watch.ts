import { ServiceError, type CallContext, type Catalog, type ResourceListener } from '@service-mcp/core';

/** Keeps the catalog subscribed to the resources that one stream or connection currently watches. */
export class ResourceWatch {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  readonly #listener: ResourceListener;
  #uris: readonly string[] = [];
  /** Those of them that the caller could read. */
  #readable: readonly string[] = [];
  #stop: () => void = () => undefined;
  #lastChange: Promise<void> = Promise.resolve();
  #closed = false;

  /** `makeCall` makes a context for each subscription: one made once could be past its deadline by then. */
  constructor(
    catalog: Catalog,
    makeCall: () => CallContext | Promise<CallContext>,
    listener: ResourceListener,
  ) {
    this.#catalog = catalog;
    this.#makeCall = makeCall;
    this.#listener = listener;
  }

  /**
   * Replaces the watched resources; resolves once they are watched. Those that the caller cannot read are skipped. A change
   * that fails changes nothing.
   */
  set(uris: readonly string[]): Promise<void> {
    const change = this.#lastChange.then(() => this.#change(uris));
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  async #change(uris: readonly string[]): Promise<void> {
    if (this.#closed || (uris.length === this.#uris.length && uris.every((uri) => this.#uris.includes(uri))))
      return;
    const call = await this.#makeCall();
    // Reads count against a limit of the caller: only resources that were not watched are read.
    const added = uris.filter((uri) => !this.#readable.includes(uri));
    let readable = uris;
    let stop: () => void;
    try {
      stop = await this.#catalog.subscribe(uris, call, this.#listener, added);
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
      const found = new Set((await Promise.all(added.map((uri) => this.#ifReadable(uri, call)))).flat());
      readable = uris.filter((uri) => !added.includes(uri) || found.has(uri));
      stop = await this.#catalog.subscribe(readable, call, this.#listener, []);
    }
    this.#uris = uris;
    this.#readable = readable;
    this.#stop();
    this.#stop = stop;
    if (this.#closed) stop();
  }

  async #ifReadable(uri: string, call: CallContext): Promise<readonly string[]> {
    try {
      await this.#catalog.readResource(uri, call);
      return [uri];
    } catch (thrown) {
      if (isUnreadable(thrown)) return [];
      throw thrown;
    }
  }
}

function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof ServiceError && ['NOT_FOUND', 'PERMISSION_DENIED'].includes(thrown.code);
}
