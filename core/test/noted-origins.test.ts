import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authenticator, provide } from '@service-mcp/core';
import { assemble, start } from '@service-mcp/core/host';
import { demo } from './fixtures.js';

const nobody = provide(Authenticator, {
  uses: {},
  create: () => ({
    verifiesJwt: false,
    challenge: () => 'Bearer',
    authenticate: () => Promise.resolve(undefined),
  }),
});

describe('the addresses of a deployment that is opened without listening', () => {
  let dataDir: string;
  before(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-origins-'))));
  after(() => rm(dataDir, { recursive: true }));

  /** The origins of a life of the deployment, with what its command line and its section `server` say. */
  async function originsOf(listen: boolean, server: object, overrides: object = {}) {
    const file = { log: { level: 'silent' }, server };
    const plugins = [demo([], { services: [nobody] })];
    const loaded = assemble(file, plugins, [], {}, { dataDir, ...overrides });
    const host = await start(loaded, { listen, workers: false });
    try {
      return { port: host.address?.port, servedAt: host.servedAt, ...host.deployment.origins() };
    } finally {
      await host.stop();
    }
  }

  it('are those of the service that was started last', async () => {
    const { base: before } = await originsOf(false, {});
    assert.equal(before, 'http://127.0.0.1:8080');
    const { port } = await originsOf(true, {}, { port: 0 });
    assert.equal((await originsOf(false, {})).base, `http://127.0.0.1:${port}`);
    const settings = { base_url: 'https://memory.example.org', web_url: 'https://people.example.org' };
    const { base, mcp, web } = await originsOf(true, settings, { port: 0 });
    const { base: sameBase, mcp: sameMcp, web: sameWeb } = await originsOf(false, {});
    assert.deepEqual([sameBase, sameMcp, sameWeb], [base, mcp, web]);
    assert.deepEqual([base, mcp, web], [settings.base_url, settings.base_url, settings.web_url]);
  });

  it('are noted beside the one where the service is bound, whatever is before it', async () => {
    const { port } = await originsOf(true, { base_url: 'https://memory.example.org' }, { port: 0 });
    const { servedAt, base } = await originsOf(false, { base_url: 'https://new.example.org' });
    assert.deepEqual([servedAt, base], [`http://127.0.0.1:${port}`, 'https://new.example.org']);
  });

  it('are those of the settings and of the command line, where these name one', async () => {
    await originsOf(true, { base_url: 'https://old.example.org' }, { port: 0 });
    const { web } = await originsOf(false, { base_url: 'https://new.example.org' });
    assert.equal(web, 'https://new.example.org');
    const part = await originsOf(false, { web_url: 'https://people.example.org' });
    assert.deepEqual([part.base, part.web], ['https://old.example.org', 'https://people.example.org']);
    assert.equal((await originsOf(false, {}, { port: 9000 })).web, 'http://127.0.0.1:9000');
  });
});
