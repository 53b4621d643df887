import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { rpcError } from '@service-mcp/core/wire';
import { toServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { connectionSeal } from './connection-seal.js';
import { DrainingStdio } from './draining-stdio.js';
import { OpenSubscriptions } from './open-subscriptions.js';
import { ResourceWatch } from './resource-watch.js';
import { buildServer } from './server.js';
import { notify, StdioSession } from './stdio-session.js';
import { LISTEN, subscribeToNamed } from './subscribe.js';

export interface StdioOptions {
  /** The version that the server states. */
  readonly version: string;
  readonly stdin?: Readable;
  /** Gets protocol messages and nothing else. */
  readonly stdout?: Writable;
  /** Called with errors such as malformed input lines; must not write to `stdout`. */
  readonly onError?: (error: Error) => void;
  /** Longest wait for pending answers once `stdin` has ended; default 30 s. */
  readonly drainMs?: number;
}

const DRAIN_MS = 30_000;

export interface StdioConnection {
  /** Resolves when `stdin` has ended and its requests are answered, when `stdout` fails, or after {@link close}. */
  readonly closed: Promise<void>;
  /** Ends at once: running requests are aborted. */
  close(): Promise<void>;
}

/**
 * Serves a catalog over standard input and output, in both eras: the client's first message decides.
 * `makeCall` makes the context of each request. When `stdin` ends, running requests are answered (within `drainMs`), then
 * the connection closes.
 */
export function serveMcpStdio(
  catalog: Catalog,
  makeCall: () => CallContext | Promise<CallContext>,
  options: StdioOptions,
): StdioConnection {
  const { version, stdin = process.stdin, stdout = process.stdout, onError } = options;
  const stop: (() => void)[] = [];
  const subscriptions = new OpenSubscriptions();
  stop.push(() => subscriptions.closeAll());
  const transport = new DrainingStdio(stdin, stdout, {
    drainMs: options.drainMs ?? DRAIN_MS,
    gate: (message) => refusedSubscription(catalog, makeCall, message, subscriptions),
    onCancelled: (id) => subscriptions.close(id),
  });
  const seal = connectionSeal();
  const connection = serveStdio(
    async ({ era }) => {
      const resources = new ResourceWatch(catalog, makeCall);
      stop.push(() => resources.close());
      const session = era === 'legacy' ? new StdioSession((uris) => resources.set(uris)) : undefined;
      const server = buildServer({
        catalog,
        version,
        requester: session ? { era: 'legacy', session, canSend: true } : { era: 'modern', seal },
        streams: true,
        instructions: await catalog.instructions(await makeCall()),
        call: makeCall,
      });
      session?.attach(server);
      stop.push(catalog.onChanged((change) => notify(server, session, change)));
      return server;
    },
    { transport, ...(onError && { onerror: (error) => onError(oneLine(error)) }) },
  );
  const close = async (): Promise<void> => {
    for (const end of stop.splice(0)) end();
    await connection.close();
  };
  return { closed: transport.closed.then(close), close };
}

/** The error response to a `subscriptions/listen` that names an unreadable resource: the SDK would send its changes. */
async function refusedSubscription(
  catalog: Catalog,
  makeCall: () => CallContext | Promise<CallContext>,
  message: JSONRPCMessage,
  subscriptions: OpenSubscriptions,
): Promise<JSONRPCMessage | undefined> {
  if (!isJSONRPCRequest(message) || message.method !== LISTEN) return undefined;
  const ended = subscriptions.open(message.id);
  const call = await makeCall();
  const subscription = await subscribeToNamed(catalog, message.params, call).catch((thrown: unknown) => ({
    refused: rpcError(toServiceError(thrown, call.requestId)),
  }));
  if ('refused' in subscription) {
    subscriptions.close(message.id);
    return { jsonrpc: '2.0', id: message.id, error: subscription.refused };
  }
  if (ended.aborted) subscription.stop();
  else ended.addEventListener('abort', subscription.stop, { once: true });
  return undefined;
}

/** The SDK reports a malformed line as a page of JSON; a person needs one line. */
function oneLine(error: Error): Error {
  if (!('issues' in error)) return error;
  return new Error(
    'An input line is not a JSON-RPC 2.0 message and was skipped. Send one object per line, with "jsonrpc", "method" and "id".',
    { cause: error },
  );
}
