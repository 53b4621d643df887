import assert from 'node:assert/strict';
import { freshDatabase, testHost, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import auth from '@service-mcp/plugin-auth';
import workspaces from '@service-mcp/plugin-workspaces';
import mcp from '@service-mcp/transport-mcp';
import { serveGateway, type Served } from './support/serve-gateway.js';

const DOCUMENTS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

describe('gateway: discovery documents', () => {
  let database: TestDatabase;
  let running: Array<{ stop(): Promise<void> }> = [];
  beforeEach(async () => {
    database = await freshDatabase('sqlite');
  });
  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await one.stop();
    await database.drop();
  });

  async function before(server: object = {}): Promise<{ service: TestHost; gateway: Served }> {
    const service = await testHost({
      plugins: [auth, workspaces],
      transports: [mcp],
      database,
      config: { server },
    });
    const { port } = service.address ?? { port: 0 };
    const gateway = await serveGateway({ SERVICE_API_URL: `http://127.0.0.1:${port}` });
    running = [service, gateway];
    return { service, gateway };
  }

  it('name the origins of the service when its pages and its API have two', async () => {
    const { gateway } = await before({
      base_url: 'http://api.memory.test',
      web_url: 'http://app.memory.test',
    });
    for (const path of DOCUMENTS) {
      const { body } = await gateway.get(path);
      assert.equal(body.issuer, 'http://api.memory.test');
      assert.equal(body.authorization_endpoint, 'http://app.memory.test/oauth/authorize');
      assert.equal(body.token_endpoint, 'http://api.memory.test/api/v1/oauth/token');
    }
    const { body } = await gateway.get('/.well-known/oauth-protected-resource/mcp');
    assert.deepEqual(body.authorization_servers, ['http://api.memory.test']);
    assert.equal(body.resource, `${gateway.url}/mcp`);
  });

  it('go on telling so while the service is away', async () => {
    const { service, gateway } = await before({ web_url: 'http://app.memory.test' });
    const told = async () => (await gateway.get(DOCUMENTS[0] ?? '')).body as object;
    const expected = await told();
    await service.stop();
    running = [gateway];
    assert.deepEqual(await told(), expected);
  });

  it('are made of the address of the service where it was never there', async () => {
    const gateway = await serveGateway({ SERVICE_API_URL: 'https://memory.invalid' });
    running = [gateway];
    for (const path of DOCUMENTS) {
      const { status, body } = await gateway.get(path);
      assert.equal(status, 200);
      assert.equal(body.issuer, 'https://memory.invalid');
      assert.equal(body.authorization_endpoint, 'https://memory.invalid/oauth/authorize');
    }
    const { body } = await gateway.get('/.well-known/oauth-protected-resource');
    assert.deepEqual(body.authorization_servers, ['https://memory.invalid']);
  });

  it('are open to pages of every origin, and stand wherever a client looks', async () => {
    const { gateway } = await before();
    const paths = DOCUMENTS.flatMap((path) => [path, `${path}/mcp`, `/mcp${path}`]);
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/client',
      ...paths,
    ]) {
      const { status, headers } = await gateway.get(path, { origin: 'https://anywhere.example' });
      assert.equal(status, 200, path);
      assert.equal(headers.get('access-control-allow-origin'), 'https://anywhere.example', path);
      assert.match(headers.get('vary') ?? '', /origin/i);
    }
  });
});
