import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { closed, definePlugin, defineTool, inputRequired, type ErrorBody } from '@service-mcp/core';
import { testHost, type TestHost } from '@service-mcp/core/testing';
import jsonrpc from '@service-mcp/transport-jsonrpc';
import mcp from '@service-mcp/transport-mcp';
import rest from '@service-mcp/transport-rest';
import { serveGateway, type Served } from '../gateway/support/serve-gateway.js';

const MODERN = '2026-07-28';
const name = 'things_drop';
const params = { name, arguments: {} };
const JSON_ALONE = { accept: 'application/json' };
const rpc = (method: string, more: object) => ({ jsonrpc: '2.0', id: 1, method, params: more });

/** A tool that asks before it acts, unless an argument answers. */
const things = definePlugin({
  id: 'things',
  description: 'For this test.',
  api: '^1',
  toolsets: [
    {
      id: 'things',
      description: 'For this test.',
      tools: [
        defineTool({
          name,
          title: 'Drop',
          description: 'Asks the person first.',
          input: Type.Object(
            { confirm: Type.Optional(Type.Boolean({ description: 'Do it without a question' })) },
            closed,
          ),
          output: Type.Object({ done: Type.Boolean() }, closed),
          effect: 'delete',
          level: 'light',
          access: { scope: 'things:write', in: 'deployment' },
          http: { method: 'POST', path: '/v1/things/drop' },
          uses: {},
          handler: async ({ confirm }) =>
            confirm
              ? { done: true }
              : inputRequired([{ name: 'sure', message: 'Drop all?', schema: {} }], { instead: 'confirm' }),
        }),
      ],
    },
  ],
});

type Wire = Partial<{
  error: ErrorBody & { data?: { code: string; details: object } };
  result: { _meta: Record<string, ErrorBody> };
}>;

describe('contract.md 1: a question to a client that cannot be asked', () => {
  let host: TestHost;
  let gateway: Served;
  before(async () => {
    host = await testHost({ plugins: [things], transports: [mcp, jsonrpc, rest] });
    gateway = await serveGateway({ SERVICE_API_URL: host.url ?? '' });
  });
  after(async () => {
    await gateway.stop();
    await host.stop();
  });

  async function session(url: string, capabilities: object): Promise<Record<string, string>> {
    const { headers } = await ask(
      `${url}/mcp`,
      rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo: { name: 't', version: '1' },
      }),
    );
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  }

  async function ask(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return { headers: response.headers, body: (await response.json()) as Wire };
  }

  it('is the same error on every surface, and names the argument that answers', async () => {
    const failures = new Map<string, unknown>();
    for (const url of [host.url ?? '', gateway.url]) {
      const modern = {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name };
      const asked: Readonly<Record<string, readonly [path: string, body: object, headers?: object]>> = {
        REST: ['/api/v1/things/drop', {}],
        'JSON-RPC': ['/api/v1/rpc', rpc('tools/call', params)],
        'a compatibility route': ['/api/v1/tools/call', { name }],
        'another one': [`/api/v1/tools/${name}`, {}],
        'MCP without a session': ['/mcp', rpc('tools/call', params)],
        'a session without the capability': ['/mcp', rpc('tools/call', params), await session(url, {})],
        'a session that takes no stream': [
          '/client',
          rpc('tools/call', params),
          { ...(await session(url, { elicitation: {} })), ...JSON_ALONE },
        ],
        'stateless MCP without the capability': [
          '/agent-a',
          rpc('tools/call', { ...params, _meta: modern }),
          headers,
        ],
      };
      for (const [what, [path, body, more]] of Object.entries(asked)) {
        const { body: answer } = await ask(`${url}${path}`, body, { ...more });
        const { error, result } = answer;
        const meta = result?._meta['service-mcp/error'];
        const { code, details } = meta ?? error?.data ?? error ?? {};
        failures.set(`${url} ${what}`, { code, message: (meta ?? error)?.message, details });
      }
    }
    const expected = {
      code: 'UNAVAILABLE',
      message:
        'This needs an answer that cannot be asked for over this connection: Drop all? Ask the person, and call again with the argument confirm.',
      details: { questions: ['Drop all?'], argument: 'confirm' },
    };
    for (const [what, failure] of failures) assert.deepEqual(failure, expected, what);
    assert.equal(failures.size, 16);
  });
});
