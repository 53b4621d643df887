import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a foreign server saw it. */
export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
}

/** Handles a request of a foreign server: returns a result, or writes the response itself. */
type Answer = (asked: Asked, response: ServerResponse) => object | undefined;

/** A server of stateless MCP with answers that the real service never sends. */
export interface ForeignServer {
  readonly url: string;
  readonly asked: Asked[];
  answer: Answer;
  stop(): Promise<void>;
}

export async function startForeign(answer: Answer): Promise<ForeignServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const part of request) body += String(part);
      const { method, params, id } = JSON.parse(body) as Asked & { id: number };
      asked.push({ method, params, headers: request.headers });
      const result = foreign.answer({ method, params, headers: request.headers }, response);
      if (result === undefined) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const foreign: ForeignServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return foreign;
}
