import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { rpcError } from '@service-mcp/core/wire';
import { toServiceError, type CallContext, type Catalog } from '@service-mcp/core';
import { connectionSeal } from './connection-seal.js';
import { DrainingStdio } from './draining.js';
import { LISTEN, watchNamed } from './listen.js';
import { Listens } from './listens.js';
import { buildServer } from './server.js';
import { StdioSession, tell } from './stdio-session.js';
import { Watched } from './watched.js';

export interface StdioOptions {
  /** The version that the server states. */
  readonly version: string;
  readonly stdin?: Readable;
  /** Gets protocol messages and nothing else. */
  readonly stdout?: Writable;
  /** Told of broken input lines and the like; must not write to `stdout`. */
  readonly onError?: (error: Error) => void;
  /** How long the answers under way are waited for once `stdin` has ended; 30 s unless given. */
  readonly drainMs?: number;
}

const DRAIN_MS = 30_000;

export interface StdioConnection {
  /** Resolves when the client has closed `stdin` and has its answers, when `stdout` broke, or after {@link close}. */
  readonly closed: Promise<void>;
  /** Ends at once: requests under way are aborted. */
  close(): Promise<void>;
}

/**
 * Serves a catalog over standard input and output, in both eras: the client's first message decides.
 * `makeCall` makes the context of each request. When `stdin` ends, nothing more is read, requests
 * under way are answered (within `drainMs`), and then it closes.
 */
export function serveMcpStdio(
  catalog: Catalog,
  makeCall: () => CallContext | Promise<CallContext>,
  options: StdioOptions,
): StdioConnection {
  const { version, stdin = process.stdin, stdout = process.stdout, onError } = options;
  const stop: (() => void)[] = [];
  const listens = new Listens();
  stop.push(() => listens.close());
  const transport = new DrainingStdio(stdin, stdout, {
    drainMs: options.drainMs ?? DRAIN_MS,
    gate: (message) => refusedListen(catalog, makeCall, message, listens),
    onCancelled: (id) => listens.end(id),
  });
  const seal = connectionSeal();
  const connection = serveStdio(
    async ({ era }) => {
      const watched = new Watched(catalog, makeCall);
      stop.push(() => watched.close());
      const session = era === 'legacy' ? new StdioSession((uris) => watched.set(uris)) : undefined;
      const server = buildServer({
        catalog,
        version,
        asker: session ? { era: 'legacy', session, asks: true } : { era: 'modern', seal },
        streams: true,
        instructions: await catalog.instructions(await makeCall()),
        call: makeCall,
      });
      session?.attach(server);
      stop.push(catalog.onChanged((change) => tell(server, session, change)));
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

/** The answer to a `subscriptions/listen` that names a resource which the caller may not read; the SDK would pass its changes on. */
async function refusedListen(
  catalog: Catalog,
  makeCall: () => CallContext | Promise<CallContext>,
  message: JSONRPCMessage,
  listens: Listens,
): Promise<JSONRPCMessage | undefined> {
  if (!isJSONRPCRequest(message) || message.method !== LISTEN) return undefined;
  const over = listens.begin(message.id);
  const call = await makeCall();
  const watch = await watchNamed(catalog, message.params, call).catch((thrown: unknown) => ({
    refused: rpcError(toServiceError(thrown, call.requestId)),
  }));
  if ('refused' in watch) {
    listens.end(message.id);
    return { jsonrpc: '2.0', id: message.id, error: watch.refused };
  }
  if (over.aborted) watch.stop();
  else over.addEventListener('abort', watch.stop, { once: true });
  return undefined;
}

/** What the SDK's schema says of a broken line is a page of JSON; a person needs one line. */
function oneLine(error: Error): Error {
  if (!('issues' in error)) return error;
  return new Error(
    'A line of the input is no JSON-RPC 2.0 message and was left out: send one object a line, with "jsonrpc", "method" and "id".',
    { cause: error },
  );
}
