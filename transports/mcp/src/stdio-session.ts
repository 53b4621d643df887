import type { Server } from '@modelcontextprotocol/server';
import type { CatalogChange } from '@service-mcp/core';
import type { SessionChange } from '@service-mcp/core/wire';
import type { ClientSession } from './client-session.js';

/** What a client of the handshake keeps with us over stdio: for as long as its connection lasts. */
export class StdioSession implements ClientSession {
  logLevel: string | undefined;
  #subscriptions: readonly string[] = [];
  readonly #watch: (uris: readonly string[]) => void;
  #capabilities: () => unknown = () => undefined;

  /** `watch` is told the resources of which the client wants to hear. */
  constructor(watch: (uris: readonly string[]) => void) {
    this.#watch = watch;
  }

  /** The server knows what its client told in `initialize`. */
  attach(server: Server): void {
    this.#capabilities = () => server.getClientCapabilities();
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return { ...(this.#capabilities() as object | undefined) };
  }

  hearsOf(uri: string): boolean {
    return this.#subscriptions.includes(uri);
  }

  async change(
    amend: (session: { readonly subscriptions: readonly string[] }) => SessionChange,
  ): Promise<void> {
    const { logLevel, subscriptions } = amend({ subscriptions: this.#subscriptions });
    if (logLevel !== undefined) this.logLevel = logLevel;
    if (!subscriptions) return;
    this.#subscriptions = subscriptions;
    this.#watch(subscriptions);
  }
}

/** Tells the client what has changed; in the stateless revision the SDK passes on what the client listens to. */
export function tell(server: Server, session: StdioSession | undefined, change: CatalogChange): void {
  const sent = send(server, session, change);
  sent?.catch(() => undefined); // not connected (any more): nobody to tell
}

function send(
  server: Server,
  session: StdioSession | undefined,
  change: CatalogChange,
): Promise<void> | undefined {
  switch (change.kind) {
    case 'tools':
      return server.sendToolListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    case 'resource':
      return session === undefined || session.hearsOf(change.uri)
        ? server.sendResourceUpdated({ uri: change.uri })
        : undefined;
  }
}
