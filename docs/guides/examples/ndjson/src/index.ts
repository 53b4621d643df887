import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { defineTransport } from '@service-mcp/core';
import { within } from '@service-mcp/core/wire';
import { config } from './config.js';
import { serveSocket } from './serve-socket.js';

export default defineTransport({
  id: 'ndjson',
  description: 'Lists and calls tools in newline-delimited JSON over a Unix socket.',
  api: '^1',
  config,
  async mount({ catalog, accept, config: { path } }) {
    const open = new Set<Socket>();
    const running = new Set<Promise<unknown>>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      void serveSocket(socket, { catalog, accept, running });
    });
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, 0o600);
    return async () => {
      const closed = once(server, 'close');
      server.close();
      await within(4_000, Promise.all(running)); // of calls that take longer the client gets no answer
      for (const socket of open) socket.destroySoon();
      await closed;
    };
  },
});
