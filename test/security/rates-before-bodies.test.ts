import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { wholeWindow } from './whole-window.js';
import { post } from './raw-http.js';
import { startHosted, withKey, type Account, type Hosted } from './start-hosted.js';

const LIMIT = 2;

/** Endpoints that read a body, with one that they take. */
const ENDPOINTS = {
  REST: { path: '/v1/search/keyword', body: { query: 'x', workspace_id: 'none' } },
  'a compatibility route': { path: '/api/v1/tools/memory_search', body: { query: 'x' } },
  'JSON-RPC': { path: '/api/v1/rpc', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
  MCP: { path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
} as const;

describe('threat: bodies of callers over their rate', () => {
  let service: Hosted;
  before(async () => {
    const limits = { read_per_minute: LIMIT, messages_per_minute: LIMIT };
    service = await startHosted({ limits });
  });
  after(() => service.stop());

  /** Sends the head of a request and then a byte of its body now and then; gives what is answered. */
  function dribble(path: string, { key }: Account): Promise<string> {
    const { hostname, port, host } = new URL(service.local);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `X-Service-API-Key: ${key}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'Content-Length: 500000',
    ];
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n{`));
      const dribbling = setInterval(() => socket.write(' '), 20);
      socket.once('data', (answer: Buffer) => {
        clearInterval(dribbling);
        socket.destroy();
        resolve(answer.toString('latin1'));
      });
      socket.once('error', reject);
    });
  }

  for (const [name, { path, body }] of Object.entries(ENDPOINTS)) {
    it(`are not waited for over ${name}`, async () => {
      const account = await service.account(name.replaceAll(/\W/g, '').toLowerCase());
      const send = (by: Account) =>
        post(service.local, path, body, {
          ...withKey(by.key),
          accept: 'application/json, text/event-stream',
        });
      await wholeWindow();
      for (let n = 0; n < LIMIT; n += 1) {
        const answer = await send(account);
        assert.notEqual(answer.status, 429, answer.text);
        assert.equal(answer.headers['ratelimit-limit'], `${LIMIT}`);
      }
      const answer = await dribble(path, account);
      assert.match(answer, /^HTTP\/1\.1 429 /);
      assert.match(answer, /\r\nRetry-After: \d+\r\n/i);
      assert.match(answer, /RATE_LIMITED/);
      assert.match(answer, /Try again in \d+ s/);
    });
  }

  it('and a call that was counted before is not counted again', async () => {
    const account = await service.account('once');
    await wholeWindow();
    const answer = await post(service.local, '/v1/search/keyword', {}, withKey(account.key));
    assert.equal(answer.headers['ratelimit-remaining'], `${LIMIT - 1}`);
  });
});
