import assert from 'node:assert/strict';
import { startGateway, type GatewayProcess } from '../../gateway-process.js';
import { startHosted, withKey, type Account, type Hosted } from '../../security/start-hosted.js';
import { post, type Answer } from '../../security/raw-http.js';

const PEOPLE = 20;
const CALLERS = 200;
const CALLS = 8;
const WORKSPACES = 3;

const ACCEPT = { accept: 'application/json, text/event-stream' };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'callers', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Person extends Account {
  readonly workspaces: readonly string[];
}

interface Reply {
  readonly id?: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly _meta?: { readonly 'service-mcp/error'?: { readonly code: string } };
  };
  readonly error?: { readonly data?: { readonly code?: string } };
}

type Way = (url: string, name: string, args: object, headers: Record<string, string>) => Promise<Answer>;

const rpc = (name: string, args: object, meta?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
});

/** Every caller asks with the JSON-RPC id 1. */
const WAYS: Readonly<Record<string, Way>> = {
  modern: (url, name, args, headers) =>
    post(url, '/client', rpc(name, args, MODERN), {
      ...ACCEPT,
      ...headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }),
  legacy: (url, name, args, headers) => post(url, '/agent-a', rpc(name, args), { ...ACCEPT, ...headers }),
  'json-rpc': (url, name, args, headers) => post(url, '/api/v1/rpc', rpc(name, args), headers),
};

async function openSession(url: string, headers: Record<string, string>): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const opened = await post(
    url,
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    {
      ...ACCEPT,
      ...headers,
    },
  );
  const id = opened.headers['mcp-session-id'];
  assert.equal(typeof id, 'string', opened.text);
  return String(id);
}

/** Deterministic, so that a failure comes again. */
function random(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe('200 callers of 20 people through one gateway', () => {
  let service: Hosted;
  let gateway: GatewayProcess;
  const people: Person[] = [];

  before(async () => {
    service = await startHosted();
    gateway = await startGateway(service.local);
    for (let n = 0; n < PEOPLE; n += 1) {
      const account = await service.account(`person${n}`);
      const workspaces: string[] = [];
      for (let w = 0; w < WORKSPACES; w += 1) {
        const made = await post(service.local, '/v1/workspaces', { name: `${n} ${w}` }, withKey(account.key));
        workspaces.push(made.json<{ data: { id: string } }>().data.id);
      }
      people.push({ ...account, workspaces });
    }
  });
  after(async () => {
    await gateway.end();
    await service.stop();
  });

  it('each get their own answers: same JSON-RPC ids, mixed sessions, random workspaces, both eras', async () => {
    const ways = Object.entries(WAYS);
    let answered = 0;
    await Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        const below = random(caller);
        const me = people[caller % PEOPLE] as Person;
        const [way, send] = ways[caller % ways.length] as [string, Way];
        const withSession = way !== 'modern' && caller % 2 === 0;
        const session = withSession ? await openSession(gateway.url, withKey(me.key)) : undefined;
        const headers = { ...withKey(me.key), ...(session !== undefined && { 'mcp-session-id': session }) };
        const ask = async (name: string, args: object): Promise<Reply> => {
          const answer = await send(gateway.url, name, args, headers);
          assert.equal(answer.status, 200, `${way} ${name}: ${answer.text}`);
          const reply = answer.json<Reply>();
          assert.equal(reply.id, 1);
          answered += 1;
          return reply;
        };
        for (let n = 0; n < CALLS; n += 1) {
          const wanted = me.workspaces[below(WORKSPACES)] as string;
          const other = people[(caller + 1 + below(PEOPLE - 1)) % PEOPLE] as Person;
          const kind = below(4);
          if (kind === 0) {
            const { result } = await ask('workspaces_get', { workspace_id: wanted });
            assert.equal(result?.structuredContent?.['id'], wanted, way);
          } else if (kind === 1) {
            const { result } = await ask('auth_me', {});
            assert.equal(result?.structuredContent?.['id'], me.id, way);
          } else if (kind === 2) {
            const { result } = await ask('workspaces_list', {});
            const items = result?.structuredContent?.['items'] as readonly { id: string }[];
            assert.deepEqual(new Set(items.map(({ id }) => id)), new Set(me.workspaces), way);
          } else if (other !== me) {
            const { result, error } = await ask('workspaces_get', { workspace_id: other.workspaces[0] });
            const code = result?._meta?.['service-mcp/error']?.code ?? error?.data?.code;
            assert.equal(code, 'NOT_FOUND', way);
          }
        }
      }),
    );
    assert.ok(answered > CALLERS * CALLS * 0.9, `${answered} answers`);
  });

  it('a session is 404 for everybody but its owner, and 401 without a credential', async () => {
    const [ann, bob] = people as [Person, Person];
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const session = await openSession(gateway.url, withKey(ann.key));
    const under = (credential: Record<string, string>) =>
      post(gateway.url, '/mcp', ping, { ...ACCEPT, ...credential, 'mcp-session-id': session });
    assert.equal((await under(withKey(bob.key))).status, 404);
    assert.equal((await under({})).status, 401);
    assert.equal((await under(withKey(ann.key))).status, 200);
  });
});
