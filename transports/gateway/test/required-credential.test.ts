import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gatewayTo } from './gateway.js';
import { answering } from './peer.js';

describe('gateway: a required credential', () => {
  /** What a client with a key gets, twice, where bad keys get `refusal`; and how often the gateway asked about those. */
  async function outcomes(refusal: (res: ServerResponse) => void) {
    let probes = 0;
    const peer = await answering((req, res) => {
      const body = JSON.stringify({ server: 'service-mcp' });
      const isGood = req.url === '/health' || req.headers['x-api-key'] === 'good';
      if (isGood) return void res.writeHead(200, { 'content-type': 'application/json' }).end(body);
      probes += 1;
      refusal(res);
    });
    const gateway = await gatewayTo(peer.url, { require_auth: true });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 2; i += 1) {
        const headers = { 'x-api-key': 'good' };
        statuses.push((await fetch(`${gateway.url}/api/v1/x`, { headers })).status);
      }
      return { statuses, probes };
    } finally {
      await gateway.stop();
      await peer.close();
    }
  }
  const json = (status: number) => (res: ServerResponse) =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end();

  it('is passed on to a service that rejects bad ones, which is asked about once for several calls', async () => {
    assert.deepEqual(await outcomes(json(401)), { statuses: [200, 200], probes: 1 });
    const page = (res: ServerResponse) =>
      void res.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Who are you?</h1>');
    assert.deepEqual(await outcomes(page), { statuses: [200, 200], probes: 1 });
  });

  it('is refused before one that takes any, and is not judged while that is not known', async () => {
    assert.deepEqual(await outcomes(json(405)), { statuses: [401, 401], probes: 2 });
    assert.deepEqual(await outcomes(json(200)), { statuses: [401, 401], probes: 2 });
    for (const status of [429, 500])
      assert.deepEqual(await outcomes(json(status)), { statuses: [503, 503], probes: 2 });
  });
});
