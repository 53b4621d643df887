import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { defineTransport } from '@service-mcp/core';
import { config } from './config.js';
import { serveSocket } from './serve-socket.js';

export default defineTransport({
  id: 'ndjson',
  description: 'Lists and calls tools in newline-delimited JSON over a Unix socket.',
  api: '^1',
  config,
  async mount({ catalog, accept, config: { path } }) {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      void serveSocket(socket, { catalog, accept });
    });
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, 0o600);
    return async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    };
  },
});
