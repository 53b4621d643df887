import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import type * as RequestModule from '../client/src/api/request.js';

const SOURCE = fileURLToPath(new URL('../../client/src/api/request.ts', import.meta.url));

describe('a request of the dashboard', () => {
  let request: typeof RequestModule.request;
  let server: Server;
  let root: URL;
  before(async () => {
    ({
      module: { request },
    } = await runnerImport<typeof RequestModule>(SOURCE, { configFile: false }));
    server = createServer(({ url }, response) => {
      const html = '<html>Bad gateway</html>';
      if (url === '/broken') {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{"success": true,', () => response.destroy());
      } else if (url === '/html') response.end(html);
      else if (url === '/gateway') response.writeHead(502).end(html);
      else if (url === '/refused') response.writeHead(409).end('{"success": false}');
      else if (url === '/whole') response.end('{"success": true}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    root = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('takes no success that breaks off, or that is not of the service, for one', async () => {
    for (const path of ['broken', 'html'])
      await assert.rejects(request(new URL(path, root)), { status: 0, code: 'UNREACHABLE' });
  });

  it('leaves a failure with its status, whatever its body is', async () => {
    const gateway = await request(new URL('gateway', root));
    assert.deepEqual([gateway.response.status, gateway.body], [502, undefined]);
    const refused = await request(new URL('refused', root));
    assert.deepEqual([refused.response.status, refused.body], [409, { success: false }]);
    assert.deepEqual((await request(new URL('whole', root))).body, { success: true });
  });

  it('says of one that was given up that it was given up', async () => {
    const given = new AbortController();
    const waiting = request(new URL('silent', root), { signal: given.signal });
    given.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });
});
