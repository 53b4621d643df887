import assert from 'node:assert/strict';
import { Type } from 'typebox';
import {
  ERRORS,
  ServiceError,
  closed,
  definePlugin,
  defineTool,
  type ErrorCode,
  type Tool,
} from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import help from '@service-mcp/plugin-help';
import jsonrpc from '@service-mcp/transport-jsonrpc';
import mcp from '@service-mcp/transport-mcp';
import rest from '@service-mcp/transport-rest';
import { rpc, send } from './http.js';

/** The table of contract.md section 1, as it stands there. */
const TABLE = `
INVALID_ARGUMENT 400 -32602 result
PARSE_ERROR 400 -32700 protocol
INVALID_REQUEST 400 -32600 protocol
UNAUTHENTICATED 401 -32011 http
PERMISSION_DENIED 403 -32003 result
NOT_FOUND 404 -32004 result
UNKNOWN_TOOL 404 -32602 protocol
UNKNOWN_METHOD 404 -32601 protocol
UNKNOWN_SESSION 404 -32001 http
METHOD_NOT_ALLOWED 405 -32600 http
CONFLICT 409 -32009 result
PAYLOAD_TOO_LARGE 413 -32013 http
UNSUPPORTED_MEDIA_TYPE 415 -32015 http
MISDIRECTED 421 -32041 http
RATE_LIMITED 429 -32029 result
RESOURCE_EXHAUSTED 429 -32030 result
INTERNAL 500 -32603 result
UNAVAILABLE 503 -32010 result
DEADLINE_EXCEEDED 504 -32008 result`;

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.split(' ') as [ErrorCode, string, string, string]);

/** They keep their HTTP status on /api/v1/rpc. */
const KEPT = new Set<string>([
  'UNAUTHENTICATED',
  'UNKNOWN_SESSION',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED',
  'RATE_LIMITED',
  'RESOURCE_EXHAUSTED',
]);

const access = { scope: 'trial:read', in: 'deployment' } as const;

const fail = defineTool({
  name: 'trial_fail',
  title: 'Fail',
  description: 'Fails with the code it is given.',
  input: Type.Object({ code: Type.String({ maxLength: 40, description: 'The code' }) }, closed),
  output: Type.Object({}, closed),
  effect: 'read',
  level: 'light',
  access,
  http: { method: 'POST', path: '/v1/trial/fail' },
  uses: {},
  async handler({ code }) {
    if (code === 'foreign') throw new Error('SELECT * FROM secrets at /etc/passwd');
    throw new ServiceError(code as ErrorCode, 'Failed as asked. Ask for less.');
  },
});

const tags = defineTool({
  name: 'trial_tags',
  title: 'Tags',
  description: 'Gives the tags back.',
  input: Type.Object(
    {
      tags: Type.Optional(
        Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10, description: 'Some words' }),
      ),
    },
    closed,
  ),
  output: Type.Object({ tags: Type.Array(Type.String()) }, closed),
  effect: 'read',
  level: 'light',
  access,
  http: { method: 'GET', path: '/v1/trial/tags' },
  uses: {},
  handler: async (input) => ({ tags: input.tags ?? [] }),
});

const plugin = (tools: readonly Tool[] = [fail, tags]) =>
  definePlugin({
    id: 'trial',
    description: 'Tools of this test.',
    api: '^1',
    toolsets: [{ id: 'trial', description: 'All.', tools }],
  });

describe('contract.md 1: error codes', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [help, plugin()], transports: [mcp, jsonrpc, rest] });
  });
  after(() => host.stop());

  it('the table of core has these rows and no others', () => {
    const rows = Object.entries(ERRORS).map(([code, row]) => [code, `${row.http}`, `${row.rpc}`, row.mcp]);
    assert.deepEqual(rows, ROWS);
  });

  it('help lists them all', async () => {
    const { errors } = await host.use<{ errors: { code: string }[] }>('help', { action: 'errors' });
    assert.deepEqual(
      errors.map(({ code }) => code),
      ROWS.map(([code]) => code),
    );
  });

  for (const [code, http, number] of ROWS) {
    it(`${code}: HTTP ${http}, JSON-RPC ${number}`, async () => {
      const url = host.url ?? '';
      const overRest = await send(url, 'POST', '/v1/trial/fail', { body: { code } });
      assert.deepEqual([overRest.status, overRest.body.error?.code], [Number(http), code]);
      const routes = await send(url, 'POST', '/api/v1/tools/trial_fail', { body: { code } });
      assert.deepEqual([routes.status, routes.body.error?.code], [Number(http), code]);
      const { status, body } = await rpc(url, 'tools/call', { name: 'trial_fail', arguments: { code } });
      assert.equal(status, KEPT.has(code) ? Number(http) : 200);
      assert.deepEqual([body.error?.code, body.error?.data.code], [Number(number), code]);
    });
  }

  it('no text of a foreign error reaches a caller', async () => {
    const url = host.url ?? '';
    const replies = [
      await send(url, 'POST', '/v1/trial/fail', { body: { code: 'foreign' } }),
      await send(url, 'POST', '/api/v1/tools/trial_fail', { body: { code: 'foreign' } }),
      await rpc(url, 'tools/call', { name: 'trial_fail', arguments: { code: 'foreign' } }),
    ];
    for (const { text } of replies) {
      assert.match(text, /INTERNAL/);
      assert.doesNotMatch(text, /SELECT|secrets|passwd|\.js|at /);
    }
  });

  it('query arrays: repeated keys or one comma-separated value', async () => {
    for (const query of ['tags=a&tags=b', 'tags=a,b']) {
      const { body } = await send(host.url ?? '', 'GET', `/v1/trial/tags?${query}`);
      assert.deepEqual(body.data, { tags: ['a', 'b'] }, query);
    }
  });

  for (const name of ['call', 'list']) {
    it(`reserved: a tool called ${name} refuses to boot, since /api/v1/tools/${name} is a route`, async () => {
      await assert.rejects(testHost({ plugins: [plugin([{ ...fail, name }])] }), /Rename the tool/);
    });
  }
});
