import { ServiceError, type CallContext, type Catalog, type ResourceListener } from '@service-mcp/core';

/** Keeps the catalog subscribed to the resources that one stream or connection currently watches. */
export class ResourceWatch {
  readonly #catalog: Catalog;
  readonly #makeCall: () => CallContext | Promise<CallContext>;
  readonly #listener: ResourceListener;
  #uris: readonly string[] = [];
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
   * Replaces the watched resources; resolves once they are watched. Those that the caller can no longer read are skipped;
   * so is a change that fails.
   */
  set(uris: readonly string[]): Promise<void> {
    this.#lastChange = this.#lastChange.then(() => this.#change(uris)).catch(() => undefined);
    return this.#lastChange;
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
      return await this.#catalog.subscribe(uris, call, this.#listener);
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
    }
    const readable = (await Promise.all(uris.map((uri) => this.#ifReadable(uri, call)))).flat();
    return this.#catalog.subscribe(readable, call, this.#listener);
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
