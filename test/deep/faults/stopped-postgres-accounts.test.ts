import assert from 'node:assert/strict';
import { ask, JSON_BODY, post, type Answer } from '../../security/raw-http.js';
import { bearer, withKey } from '../../security/start-hosted.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { postgresBehindProxy, type ProxiedPostgres } from './postgres-behind-proxy.js';

const PASSWORD = 'correct horse battery';
const PERSON = { email: 'ann@example.com', password: PASSWORD };
const REDIRECT = 'http://localhost/cb';
const APPLICATION = { redirect_uris: [REDIRECT], client_name: 'x', token_endpoint_auth_method: 'none' };
const VERIFIER = 'a'.repeat(43);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const STREAMS = { accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

interface Registered {
  readonly data: {
    readonly access_token: string;
    readonly refresh_token: string;
    readonly secret_key: string;
  };
}

describe('fault: PostgreSQL of a service with accounts is stopped', () => {
  let database: ProxiedPostgres;
  let service: ServiceProcess;
  before(async () => {
    database = await postgresBehindProxy();
    service = await startService(database.dataDir, database.env, HOSTED_DEPLOYMENT);
  });
  after(async () => {
    await service?.end('SIGKILL');
    await database.drop();
  });

  const send = (path: string, body: object, headers = {}) => post(service.url, path, body, headers);
  const form = (path: string, fields: Record<string, string>) =>
    ask(service.url, path, { method: 'POST', headers: FORM, body: new URLSearchParams(fields).toString() });
  const get = (path: string, headers: Record<string, string>) => ask(service.url, path, { headers });

  it('every way in says that it is unavailable, and when to come back; OAuth in its own words', async () => {
    const { data } = (await send('/v1/auth/register', PERSON)).json<Registered>();
    const wanted = { name: 'of Ann', scopes: ['*'] };
    const made = await send('/v1/auth/api-keys', wanted, bearer(data.access_token));
    const key = withKey(made.json<Registered>().data.secret_key);
    const opened = await send('/mcp', INITIALIZE, { ...key, ...STREAMS });
    const session = { ...key, ...STREAMS, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const { client_id } = (await send('/api/v1/oauth/register', APPLICATION)).json<{ client_id: string }>();
    await database.proxy.refuse();

    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const refused: Record<string, Promise<Answer>> = {
      'REST by key': get('/v1/workspaces', key),
      'REST by token': get('/v1/workspaces', bearer(data.access_token)),
      'sign-in': send('/v1/auth/login', PERSON),
      refresh: send('/v1/auth/refresh', { refresh_token: data.refresh_token }),
      'a tool': send('/api/v1/tools/workspaces_list', {}, key),
      'the stream of events': get('/api/v1/stream', { ...key, accept: 'text/event-stream' }),
      'a new session of MCP': send('/mcp', INITIALIZE, { ...key, ...STREAMS }),
      'a session of MCP': send('/mcp', list, session),
      'the stream of a session': get('/mcp', { ...session, accept: 'text/event-stream' }),
    };
    const oauth: Record<string, Promise<Answer>> = {
      code: form('/api/v1/oauth/token', {
        grant_type: 'authorization_code',
        code: 'x'.repeat(43),
        client_id,
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
      }),
      'refresh token': form('/api/v1/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: 'x'.repeat(43),
        client_id,
      }),
      revocation: form('/api/v1/oauth/revoke', { token: 'x'.repeat(43), client_id }),
      registration: send('/api/v1/oauth/register', APPLICATION, JSON_BODY),
    };
    const query = new URLSearchParams({
      client_id,
      response_type: 'code',
      redirect_uri: REDIRECT,
      code_challenge: VERIFIER,
      code_challenge_method: 'S256',
    });
    const page = get(`/oauth/authorize?${query.toString()}`, { accept: 'text/html' });
    for (const [name, asked] of Object.entries({ ...refused, ...oauth, page })) {
      const { status, headers, text } = await asked;
      assert.equal(status, 503, `${name}: ${text}`);
      assert.match(headers['retry-after'] ?? '', /^\d+$/, name);
      assert.doesNotMatch(text, /INTERNAL|server_error/, name);
    }
    for (const [name, asked] of Object.entries(oauth))
      assert.equal((await asked).json()['error'], 'temporarily_unavailable', name);
    assert.match((await page).text, /cannot answer at the moment/);

    await database.proxy.resume();
    while ((await get('/v1/workspaces', key)).status !== 200);
    const troubles = service.said().match(/^.*"level":50.*$/gm) ?? [];
    assert.equal(troubles.length, 1, service.said());
  });
});
