import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { LOCAL_OWNER } from '@service-mcp/core';
import { serveGateway, type Served } from './support/serve-gateway.js';
import { startHosted, type Hosted } from './support/restartable-service.js';

const NOBODYS = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A call, the credential it is made with, and the code that it ends in. */
type Refused = readonly [code: string, tool: string, args: object, key?: string];

describe('gateway: every failure of the service comes out as it went in', () => {
  let service: Hosted;
  let gateway: Served;
  let readOnlyKey: string;
  let workspaceId: string;
  before(async () => {
    service = await startHosted(
      {},
      { limits: { read_per_minute: 0, write_per_minute: 40, open_per_minute: 0 } },
    );
    gateway = await serveGateway({ SERVICE_API_URL: service.url, SERVICE_API_KEY: service.key });
    readOnlyKey = (await service.makeKey('reads', { scopes: ['workspaces:read'] })).key;
    const made = await gateway.post('/api/v1/tools/workspaces_create', { name: 'One' });
    workspaceId = made.body.structuredContent.id;
  });
  after(async () => {
    await gateway.stop();
    await service.stop();
  });

  const refusals: ReadonlyArray<(given: { own: string; read: string; workspace: string }) => Refused> = [
    () => ['INVALID_ARGUMENT', 'workspaces_get', { workspace_id: 'One' }],
    () => ['INVALID_ARGUMENT', 'workspaces_get', { id: 1, more: 'x'.repeat(10_000), deep: { a: [{}] } }],
    () => ['NOT_FOUND', 'workspaces_get', { workspace_id: NOBODYS }],
    () => ['UNKNOWN_TOOL', 'no_such_tool', {}],
    () => ['UNKNOWN_TOOL', '../../health', {}],
    ({ read }) => ['PERMISSION_DENIED', 'workspaces_create', { name: 'Two' }, read],
    ({ workspace }) => [
      'CONFLICT',
      'members_remove',
      { workspace_id: workspace, user_id: LOCAL_OWNER.userId },
    ],
    () => ['UNAUTHENTICATED', 'help', {}, 'svc_live_mistyped'],
  ];
  for (const refusal of refusals) {
    const [code, tool] = refusal({ own: '', read: '', workspace: '' });
    it(`${code} of ${tool}`, async () => {
      const [, , args, key = service.key] = refusal({
        own: service.key,
        read: readOnlyKey,
        workspace: workspaceId,
      });
      const credential = { 'x-service-api-key': key };
      const body = { name: tool, arguments: args };
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: body };
      const accept = { accept: 'application/json, text/event-stream' };
      for (const [path, sent] of [
        ['/api/v1/tools/call', body],
        ['/api/v1/rpc', call],
        ['/client', call],
      ] as const) {
        const direct = await service.post(path, sent, { ...credential, ...accept });
        const expected: unknown = await direct.json();
        const { status, body: answer } = await gateway.post(path, sent, credential);
        assert.deepEqual([status, answer], [direct.status, expected], path);
        assert.equal(told(answer), code, path);
      }
    });
  }

  it('CONFLICT of an Idempotency-Key with another body, and the first answer again with the same', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const make = (name: string) => gateway.post('/api/v1/tools/workspaces_create', { name }, key);
    const first = await make('Only once');
    const again = await make('Only once');
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal((await make('Another')).body.error.code, 'CONFLICT');
  });

  it('PAYLOAD_TOO_LARGE before anything is sent on', async () => {
    const { status, body } = await gateway.post('/api/v1/tools/help', {
      action: 'x'.repeat(17 * 1024 * 1024),
    });
    assert.equal(status, 413);
    assert.equal(body.error.code, 'PAYLOAD_TOO_LARGE');
  });

  it('PAYLOAD_TOO_LARGE of the service, while the client still sends in chunks', async () => {
    const part = Buffer.alloc(64 * 1024, ' ');
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${gateway.url}/api/v1/tools/help`, { method: 'POST', headers });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    const write = promisify((text: Buffer, done: (error?: Error | null) => void) => sent.write(text, done));
    for (let left = 15 * 16; left > 0; left -= 1) await write(part);
    const [answer] = await answered;
    assert.equal(answer.statusCode, 413);
    sent.destroy();
  });

  it('deeply nested arguments and malformed names do no harm', async () => {
    const deep = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
    for (const path of ['/api/v1/tools/help', '/api/v1/rpc', '/mcp']) {
      const { status } = await gateway.post(path, deep);
      assert.ok(status < 500, `${path} ${status}`);
    }
    for (const name of ['__proto__', 'constructor', '', 'a'.repeat(5000), '\u0000', '💥']) {
      const { body } = await gateway.post('/api/v1/tools/call', { name, arguments: {} });
      assert.ok(['UNKNOWN_TOOL', 'INVALID_ARGUMENT'].includes(body.error.code), JSON.stringify(body));
    }
    assert.equal((await gateway.post('/api/v1/tools/help', {})).status, 200);
  });

  it('RATE_LIMITED, with the time to wait in the headers', async () => {
    let last = await gateway.post('/api/v1/tools/workspaces_create', { name: 'More' });
    for (let tries = 0; tries < 200 && last.status === 200; tries++) {
      assert.equal(last.headers.get('ratelimit-limit'), '40');
      last = await gateway.post('/api/v1/tools/workspaces_create', { name: 'More' });
    }
    assert.equal(last.status, 429);
    assert.equal(last.body.error.code, 'RATE_LIMITED');
    assert.match(last.headers.get('retry-after') ?? '', /^\d+$/);
  });
});

interface Wire {
  readonly error?: { readonly code: unknown; readonly data?: { readonly code: string } };
  readonly result?: { readonly _meta: { readonly 'service-mcp/error': { readonly code: string } } };
}

/** The code of a failure, in whichever format it is told. */
function told(body: unknown): unknown {
  const { error, result } = body as Wire; // a test says what it expects
  return error?.data?.code ?? error?.code ?? result?._meta['service-mcp/error'].code;
}
