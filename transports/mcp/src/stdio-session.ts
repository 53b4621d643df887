import type { Server } from '@modelcontextprotocol/server';
import type { CatalogChange } from '@service-mcp/core';
import type { ClientSession } from './client-session.js';

/** The session of a handshake client over stdio: it lasts as long as the connection. */
export interface StdioSession extends ClientSession {
  isSubscribedTo(uri: string): boolean;
}

/** `capabilities`: those that the client sent in `initialize`. `watch` gets the URIs of the subscribed resources. */
export function stdioSession(
  capabilities: () => object | undefined,
  watch: (uris: readonly string[]) => void,
): StdioSession {
  let logLevel: string | undefined;
  let subscriptions: readonly string[] = [];
  return {
    get capabilities() {
      return { ...capabilities() };
    },
    get logLevel() {
      return logLevel;
    },
    isSubscribedTo: (uri) => subscriptions.includes(uri),
    async change(amend) {
      const changed = amend({ subscriptions });
      logLevel = changed.logLevel ?? logLevel;
      if (!changed.subscriptions) return;
      subscriptions = changed.subscriptions;
      watch(subscriptions);
    },
  };
}

const LIST_CHANGED = {
  tools: 'sendToolListChanged',
  prompts: 'sendPromptListChanged',
  resources: 'sendResourceListChanged',
} as const;

/** Notifies the client of a change; in the stateless revision the SDK filters by the subscriptions of the client. */
export function notify(server: Server, session: StdioSession | undefined, change: CatalogChange): void {
  if (change.kind === 'resource' && session && !session.isSubscribedTo(change.uri)) return;
  const sent =
    change.kind === 'resource'
      ? server.sendResourceUpdated({ uri: change.uri })
      : server[LIST_CHANGED[change.kind]]();
  sent.catch(() => undefined); // not connected
}
