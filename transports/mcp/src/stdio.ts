import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallContext, Catalog } from '@service-mcp/core';
import { instructionsFor } from '@service-mcp/core/wire';
import { buildServer } from './server.js';

export interface StdioOptions {
  /** The version that the server states. */
  readonly version: string;
  readonly stdin?: Readable;
  /** Gets protocol messages and nothing else. */
  readonly stdout?: Writable;
  /** Told of broken input lines and the like; must not write to `stdout`. */
  readonly onError?: (error: Error) => void;
}

export interface StdioConnection {
  /** Resolves when the client has closed `stdin`, or after {@link close}. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves a catalog over standard input and output, in both eras: the client's first message decides.
 * `makeCall` makes the context of each request. Requests still running when `stdin` closes are aborted.
 */
export function serveMcpStdio(
  catalog: Catalog,
  makeCall: () => CallContext | Promise<CallContext>,
  options: StdioOptions,
): StdioConnection {
  const { version, stdin = process.stdin, stdout = process.stdout, onError } = options;
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
    { transport: new StdioServerTransport(stdin, stdout), ...(onError && { onerror: onError }) },
  );
  const ended = new AbortController();
  const close = async (): Promise<void> => {
    ended.abort();
    for (const end of stop.splice(0)) end();
    await connection.close();
  };
  const { signal } = ended;
  const gone = Promise.race([once(stdin, 'end', { signal }), once(stdin, 'close', { signal })]);
  const closed = gone.catch(() => undefined).then(close); // a rejection is our own abort
  return { closed, close };
}
