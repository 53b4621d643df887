import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallContext, Catalog } from '@service-mcp/core';
import { connectionSeal } from './connection-seal.js';
import { DrainingStdio } from './draining-stdio.js';
import { ResourceWatch } from './resource-watch.js';
import { buildServer } from './server.js';
import { notifyOfList, notifyOfResource, stdioSession } from './stdio-session.js';
import { SubscriptionGate } from './subscription-gate.js';

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
  let modern: Server | undefined;
  // A connection that would tell of no more changes ends, so that its client sees it.
  const failed = (): void => void close();
  const gate = new SubscriptionGate(catalog, makeCall, {
    changed: (uri) => modern && notifyOfResource(modern, uri),
    failed,
  });
  stop.push(() => gate.closeAll());
  const transport = new DrainingStdio(stdin, stdout, { drainMs: options.drainMs ?? DRAIN_MS, gate });
  const seal = connectionSeal();
  const connection = serveStdio(
    async ({ era }) => {
      const resources = new ResourceWatch(catalog, makeCall, {
        changed: (uri) => session?.isSubscribedTo(uri) && notifyOfResource(server, uri),
        failed,
      });
      stop.push(() => resources.close());
      const capabilities = () => server.getClientCapabilities();
      const session =
        era === 'legacy' ? stdioSession(capabilities, (uris) => resources.set(uris)) : undefined;
      const server = buildServer({
        catalog,
        version,
        requester: session ? { era: 'legacy', session, canSend: true } : { era: 'modern', seal },
        streams: true,
        instructions: await catalog.instructions(await makeCall()),
        call: makeCall,
      });
      if (era === 'modern') modern = server;
      stop.push(
        catalog.onChanged(({ kind }) => {
          if (kind !== 'resource') notifyOfList(server, kind);
        }),
      );
      return server;
    },
    { transport, ...(onError && { onerror: (error) => onError(lineFault(error)) }) },
  );
  const close = async (): Promise<void> => {
    for (const end of stop.splice(0)) end();
    await connection.close();
  };
  return { closed: transport.closed.then(close), close };
}

/** The SDK reports a malformed line as a page of JSON; a person needs one line. */
export function lineFault(error: Error): Error {
  if (!('issues' in error)) return error;
  return new Error(
    'An input line is not a JSON-RPC 2.0 message and was skipped. Send one object per line, with "jsonrpc", "method" and "id".',
    { cause: error },
  );
}
