import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from './support/command.js';
import { folderWith } from './support/folder.js';

describe('doctor', () => {
  it('asks a service that is not available once, and tells what it said', async () => {
    const folder = await folderWith();
    const error = { code: 'UNAVAILABLE', message: 'No answer of it.', details: { retry_after: 2 } };
    let asked = 0;
    const server = createServer((request, response) => {
      const isWell = request.url === '/api/v1/health' || request.url === '/ready';
      if (request.url === '/api/v1/tools/list') asked += 1;
      response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '2' });
      response.end(JSON.stringify(isWell ? { server: 'service-mcp', checks: [] } : { error }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { stdout } = await runCommand(['doctor', '--url', url], { cwd: folder.path });
      assert.match(stdout, /key +No answer of it\./);
      assert.equal(asked, 1);
    } finally {
      server.closeAllConnections();
      server.close();
      await folder.remove();
    }
  });
});
