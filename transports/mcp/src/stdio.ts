import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallContext, Catalog } from '@service-mcp/core';
import { instructionsFor } from '@service-mcp/core/wire';
import { DrainingStdio } from './draining.js';
import { buildServer } from './server.js';

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
  const transport = new DrainingStdio(stdin, stdout, options.drainMs ?? DRAIN_MS);
  const stop: (() => void)[] = [];
  const connection = serveStdio(
    async () => {
      const instructions = instructionsFor(await catalog.tools(await makeCall()));
      const server = buildServer({
        catalog,
        version,
        listChanged: true,
        progress: true,
        instructions,
        call: makeCall,
      });
      const tell = (): void => {
        const told = [
          server.sendToolListChanged(),
          server.sendPromptListChanged(),
          server.sendResourceListChanged(),
        ];
        for (const notice of told) notice.catch(() => undefined); // not connected (any more): nobody to tell
      };
      stop.push(catalog.onListChanged(tell));
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

/** What the SDK's schema says of a broken line is a page of JSON; a person needs one line. */
function oneLine(error: Error): Error {
  if (!('issues' in error)) return error;
  return new Error(
    'A line of the input is no JSON-RPC 2.0 message and was left out: send one object a line, with "jsonrpc", "method" and "id".',
    { cause: error },
  );
}
