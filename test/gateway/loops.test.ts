import assert from 'node:assert/strict';
import { freePort } from '../free-port.js';
import { serveGateway, type Served } from './support/serve-gateway.js';

const address = (port: number) => `http://127.0.0.1:${port}`;

describe('gateway: an address that leads back to it', () => {
  for (const count of [1, 2, 3]) {
    it(`is noticed where ${count === 1 ? 'it is its own' : `${count} gateways go round`}, and goes round once`, async () => {
      const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
      const gateways: Served[] = [];
      for (const [at, port] of ports.entries()) {
        const next = ports[(at + 1) % count] as number;
        gateways.push(await serveGateway({ SERVICE_API_URL: address(next) }, port));
      }
      const [first] = gateways as [Served];
      for (const headers of [{}, { 'x-service-api-key': 'svc_live_of_somebody' }] as Record<
        string,
        string
      >[]) {
        const { status, body } = await first.post('/api/v1/tools/workspaces_list', {}, headers);
        assert.equal(status, 503, JSON.stringify(body));
        assert.match(body.error.message, /SERVICE_API_URL/);
      }
      const { body } = await first.get('/metrics');
      const calls = [...String(body).matchAll(/^service_mcp_gateway_seconds_count\{.*\} (\d+)$/gm)];
      assert.ok(calls.length > 0);
      assert.ok(calls.reduce((sum, [, number]) => sum + Number(number), 0) <= 4, String(calls));
      for (const gateway of gateways) await gateway.stop();
    });
  }
});
