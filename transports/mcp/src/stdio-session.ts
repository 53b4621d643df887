import type { Server } from '@modelcontextprotocol/server';
import type { ListKind } from './change-streams.js';
import type { ClientSession } from './client-session.js';

/** The session of a handshake client over stdio: it lasts as long as the connection. */
export interface StdioSession extends ClientSession {
  isSubscribedTo(uri: string): boolean;
}

/** `capabilities`: those that the client sent in `initialize`. `watch` gets the URIs of the subscribed resources. */
export function stdioSession(
  capabilities: () => object | undefined,
  watch: (uris: readonly string[]) => Promise<void>,
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
      await watch(subscriptions);
    },
  };
}

const LIST_CHANGED = {
  tools: 'sendToolListChanged',
  prompts: 'sendPromptListChanged',
  resources: 'sendResourceListChanged',
} as const;

/** Notifies the client of a changed list; in the stateless revision the SDK filters by what the client asked for. */
export function notifyOfList(server: Server, kind: ListKind): void {
  server[LIST_CHANGED[kind]]().catch(() => undefined); // not connected
}

/** The same of a changed resource. */
export function notifyOfResource(server: Server, uri: string): void {
  server.sendResourceUpdated({ uri }).catch(() => undefined); // not connected
}
