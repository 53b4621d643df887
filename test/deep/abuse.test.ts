import assert from 'node:assert/strict';
import { startBoth, type Both } from '../gateway-process.js';
import { ask, codeOf, post, speak } from '../security/raw-http.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'abuse', version: '1' } },
};
const ACCEPT = { accept: 'application/json, text/event-stream' };
describe('attacks on availability and reputation have no effect', () => {
  let both: Both;
  before(async () => {
    both = await startBoth();
  });
  after(() => both.end());

  for (const [name, of] of [
    ['serve', () => both.service],
    ['the gateway', () => both.gateway],
  ] as const) {
    describe(name, () => {
      it('malformed request lines and hosts get a 400, and the server goes on', async () => {
        const { url } = of();
        const { host } = new URL(url);
        const own = `Host: ${host}\r\n`;
        const bad = [
          `GET // HTTP/1.1\r\n${own}`,
          `POST //mcp HTTP/1.1\r\n${own}Content-Length: 0\r\n`,
          `GET ///evil.example/x HTTP/1.1\r\n${own}`,
          'GET / HTTP/1.1\r\nHost: [\r\n',
          'GET / HTTP/1.1\r\nHost: [::1\r\n',
          'GET / HTTP/1.1\r\nHost: a b\r\n',
          'GET / HTTP/1.1\r\nHost: user@127.0.0.1\r\n',
          'GET / HTTP/1.1\r\nHost: 127.0.0.1:999999\r\n',
          'GET / HTTP/1.1\r\nHost:\r\n',
          'GET /health HTTP/1.1\r\n',
          `GET http://evil.example/mcp HTTP/1.1\r\n${own}`,
          `GET ${url}/health HTTP/1.1\r\n${own}`,
          `GET http://[ HTTP/1.1\r\n${own}`,
          `GET * HTTP/1.1\r\n${own}`,
          `OPTIONS * HTTP/1.1\r\n${own}`,
          `GET mcp HTTP/1.1\r\n${own}`,
          `GET /health HTTP/9.9\r\n${own}`,
          `GET /health\tHTTP/1.1\r\n${own}`,
          'FOO BAR\r\n',
          '\u0000\u0001\u0002\r\n',
          `GET /health HTTP/1.1\r\n${own}Bad Header: x\r\n`,
          `POST /mcp HTTP/1.1\r\n${own}Content-Length: -1\r\n`,
          `POST /mcp HTTP/1.1\r\n${own}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`,
        ];
        for (const line of bad) {
          const answer = await speak(url, `${line}Connection: close\r\n\r\n`, 1000);
          assert.match(answer, /^HTTP\/1\.1 400 /, `${JSON.stringify(line)} got ${answer.slice(0, 60)}`);
        }
        for (const line of [`CONNECT a:80 HTTP/1.1\r\n${own}`, 'PRI * HTTP/2.0\r\n']) {
          assert.doesNotMatch(await speak(url, `${line}\r\n`, 300), /^HTTP\/1\.1 [2-3]/);
        }
        assert.equal((await ask(url, '/health')).status, 200);
      });

      it('a foreign Origin or Host reaches nothing', async () => {
        const { url } = of();
        for (const path of ['/mcp', '/agent-a', '/client', '/api/v1/rpc', '/api/v1/initialize']) {
          const foreign = await post(url, path, INITIALIZE, { ...ACCEPT, origin: 'https://evil.example' });
          assert.deepEqual([foreign.status, foreign.headers['mcp-session-id']], [403, undefined], path);
          for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80']) {
            const rebound = await post(url, path, INITIALIZE, { ...ACCEPT, host });
            assert.deepEqual([rebound.status, codeOf(rebound)], [421, 'MISDIRECTED'], `${path} ${host}`);
          }
        }
      });

      it('a failed call never reads as success', async () => {
        const { url } = of();
        const failing: ReadonlyArray<[tool: string, args: object]> = [
          ['workspaces_get', { workspace_id: '0190a0b0-0000-7000-8000-000000000000' }],
          ['workspaces_get', {}],
          ['no_such_tool', {}],
          ['search_pattern', { query: '(', workspace_id: '0190a0b0-0000-7000-8000-000000000000' }],
        ];
        for (const [name, args] of failing) {
          const params = { name, arguments: args };
          const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
          const rpc = (await post(url, '/api/v1/rpc', call)).json<{ error?: object; result?: object }>();
          assert.ok(rpc.error && !rpc.result, name);
          const mcp = (await post(url, '/client', call, ACCEPT)).json<{
            error?: object;
            result?: { isError?: boolean; structuredContent?: object };
          }>();
          assert.ok(mcp.error ?? mcp.result?.isError, name);
          assert.equal(mcp.result?.structuredContent, undefined, name);
          const plain = await post(url, `/api/v1/tools/${name}`, args);
          assert.ok(plain.status >= 400, `${name} ${plain.status}`);
          const named = await post(url, '/api/v1/tools/call', params);
          assert.ok(named.status >= 400 && named.json<{ error?: object }>().error, name);
        }
      });
    });
  }
});
