import type { Server } from '@modelcontextprotocol/server';
import type { CatalogChange } from '@service-mcp/core';
import type { SessionChange } from '@service-mcp/core/wire';
import type { ClientSession } from './client-session.js';

/** The session of a handshake client over stdio: it lasts as long as the connection. */
export class StdioSession implements ClientSession {
  logLevel: string | undefined;
  #subscriptions: readonly string[] = [];
  readonly #watch: (uris: readonly string[]) => void;
  #capabilities: () => unknown = () => undefined;

  /** `watch` is called with the URIs of the subscribed resources. */
  constructor(watch: (uris: readonly string[]) => void) {
    this.#watch = watch;
  }

  /** The server has the capabilities that its client sent in `initialize`. */
  attach(server: Server): void {
    this.#capabilities = () => server.getClientCapabilities();
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return { ...(this.#capabilities() as object | undefined) };
  }

  isSubscribedTo(uri: string): boolean {
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

/** Notifies the client of a change; in the stateless revision the SDK filters by the subscriptions of the client. */
export function notify(server: Server, session: StdioSession | undefined, change: CatalogChange): void {
  send(server, session, change)?.catch(() => undefined); // not connected
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
      return session === undefined || session.isSubscribedTo(change.uri)
        ? server.sendResourceUpdated({ uri: change.uri })
        : undefined;
  }
}
