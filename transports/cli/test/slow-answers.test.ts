import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallOptions } from '#cli/connection/connection.js';
import { httpConnection } from '#cli/connection/http.js';

/** The limit of the first answer, shorter than the bodies below take. */
const FIRST_ANSWER_MS = 400;
const options = { repeatable: true, firstAnswerMs: FIRST_ANSWER_MS } as CallOptions;

describe('an answer that begins in time', () => {
  let asked = 0;
  let status = 200;
  const server = createServer((request, response) => {
    asked++;
    request.resume();
    const refused = { error: { code: 'PERMISSION_DENIED', message: 'Not yours.' } };
    const body = JSON.stringify(status === 200 ? { structuredContent: { items: [] } } : refused);
    void (async () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      for (const piece of [body.slice(0, 9), body.slice(9)]) {
        response.write(piece);
        await sleep(FIRST_ANSWER_MS);
      }
      response.end();
    })();
  });
  const connection = () => {
    const { port } = server.address() as AddressInfo;
    return httpConnection(`http://127.0.0.1:${port}`, undefined, new AbortController().signal);
  };
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  after(() => void server.close());
  beforeEach(() => (asked = 0));

  it('is taken, however slowly it comes', async () => {
    status = 200;
    assert.deepEqual(await connection().call('files_list', { project_id: 'p1' }, options), { items: [] });
    assert.equal(asked, 1);
  });

  it('is not asked for again where it refuses', async () => {
    status = 403;
    await assert.rejects(connection().call('files_list', { project_id: 'p1' }, options), /Not yours/);
    assert.equal(asked, 1);
  });
});
