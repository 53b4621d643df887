import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamHealth, definePlugin, defineRoutes, type CatalogChange } from '@service-mcp/core';
import { assemble, startGateway, type Gateway } from '@service-mcp/core/host';
import upstream from '@service-mcp/plugin-upstream';
import { accepting, answering, type Peer } from './peer.js';

/** Serves the service's health while it is up, and breaks every connection while it is down. */
async function switched(): Promise<{ readonly peer: Peer; readonly state: { up: boolean } }> {
  const state = { up: true };
  const peer = await answering(
    (res) => void (state.up ? res.writeHead(404).end() : res.destroy()),
    (req, res) => {
      if (!state.up) return void res.destroy();
      const isHealth = req.url === '/health';
      res.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
      res.end(JSON.stringify(isHealth ? { status: 'ok', server: 'service-mcp' } : {}));
    },
  );
  return { peer, state };
}

describe('upstream: availability of the service', () => {
  let stops: Array<() => Promise<void>> = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  /** A gateway, and its view of the service's health. */
  async function watching(peer: Peer): Promise<{ gateway: Gateway; health: UpstreamHealth }> {
    stops.push(() => peer.close());
    let health: UpstreamHealth | undefined;
    const spy = definePlugin({
      id: 'spy',
      description: 'Gets the health of the service.',
      api: '^1',
      routes: [
        defineRoutes({
          uses: { found: UpstreamHealth },
          mount: (_http, { found }) => {
            health = found;
          },
        }),
      ],
    });
    const file = { log: { level: 'silent' }, upstream: { url: peer.url } };
    const gateway = await startGateway(assemble(file, [upstream, spy], [], {}, { port: 0 }));
    stops.push(() => gateway.stop());
    assert.ok(health);
    return { gateway, health };
  }

  it('lists may have changed after each outage, but not at startup', async () => {
    const { peer, state } = await switched();
    const { gateway, health } = await watching(peer);
    const changes: CatalogChange[] = [];
    gateway.catalog.onChanged((change) => void changes.push(change));
    const until = async (status: string) => {
      while ((await health.status()).status !== status) await sleep(20);
    };
    await until('reachable');
    assert.deepEqual(changes, []);
    for (let times = 1; times <= 3; times++) {
      state.up = false;
      await until('unreachable');
      state.up = true;
      await until('reachable');
      assert.equal(changes.length, times * 3);
    }
    assert.deepEqual(changes.slice(0, 3), [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }]);
  });

  it('a service that is back is detected however many calls it answers', async () => {
    const { peer, state } = await switched();
    const { gateway, health } = await watching(peer);
    while ((await health.status()).status !== 'reachable') await sleep(20);
    state.up = false;
    const call = () => gateway.catalog.tools(gateway.call()).catch(() => undefined);
    const changes: CatalogChange[] = [];
    gateway.catalog.onChanged((change) => void changes.push(change));
    await call(); // detects that it is unavailable
    state.up = true;
    for (let tries = 0; changes.length === 0; tries++) {
      assert.ok(tries < 100, 'it was not noticed');
      await call();
      await sleep(40);
    }
  });

  it('another server at the address is not the service', async () => {
    const other = await answering(
      (res) => void res.end(),
      (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}'),
    );
    const { health } = await watching(other);
    assert.deepEqual(await health.status(), { url: other.url, status: 'unreachable' });
  });

  it('a hanging service is reported as unreachable without waiting for it', async () => {
    const { gateway, health } = await watching(await accepting(() => undefined));
    assert.equal((await health.status()).status, 'unreachable');
    const answer = await fetch(`${gateway.url}/health`);
    const body = (await answer.json()) as { upstream: { status: string } };
    assert.equal(body.upstream.status, 'unreachable');
  });
});
