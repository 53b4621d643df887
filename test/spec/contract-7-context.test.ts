import assert from 'node:assert/strict';
import * as modern from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serveGateway, type Served } from '../gateway/support/serve-gateway.js';
import { startService, type Service } from '../start-service.js';
import { dataOf, issuePath, send } from './http.js';

interface Answer {
  readonly context: string;
  readonly token_estimate: number;
  readonly sections: readonly Readonly<Record<string, unknown>>[];
  readonly budget: { readonly max: number; readonly used: number; readonly dropped: number };
}

const sorted = (fields: string): string[] => fields.split(' ').sort();
const ANSWER = sorted('context token_estimate tokenizer sections budget index took_ms warnings');
const OF_FILE = sorted('title kind path project_id start_line end_line tokens score reason');
const OF_RECORD = sorted('title kind id tokens score reason');
const FILES = [
  { path: 'src/retry.ts', content: 'export function retryUpload(): void {\n  waitForGateway();\n}\n' },
  { path: 'docs/upload.md', content: '# Uploads\n\nAn upload is retried until the gateway accepts it.\n' },
  { path: 'test/retry.test.ts', content: 'it("retries an upload", () => retryUpload());\n' },
];
const ASKED = { query: 'how is an upload retried' };

describe('contract.md 7: contexts', () => {
  let service: Service;
  let gateway: Served;
  let workspace_id: string;
  before(async () => {
    service = await startService({ search: { training: false } });
    gateway = await serveGateway({ SERVICE_API_URL: service.url });
    ({ id: workspace_id } = await service.use<{ id: string }>('workspaces_create', { name: 'w' }));
    const { id } = await service.use<{ id: string }>('projects_create', { workspace_id, name: 'shop' });
    await service.use('files_ingest', { project_id: id, files: FILES });
    const retry = {
      node_type: 'decision',
      title: 'Retry uploads',
      content: 'An upload is retried, not resumed.',
    };
    await service.use('memory_create_node', { workspace_id, ...retry });
    const said = { event_type: 'note', title: 'Standup', content: 'Nothing to report.', session_id: 's1' };
    await service.use('memory_create_event', { workspace_id, ...said });
    await service.indexed(id);
    while ((await service.use<{ index: { pending: number } }>('memory_search', ASKED)).index.pending > 0)
      await new Promise((resolve) => setTimeout(resolve, 25));
  });
  after(async () => {
    await gateway.stop();
    await service.stop();
  });

  const post = (route: string, body: object) => send(service.url, 'POST', `/v1/ai/${route}`, { body });
  async function ask(route: string, more: object = {}): Promise<Answer> {
    const { status, body } = await post(route, { ...ASKED, workspace_id, ...more });
    assert.equal(status, 200, JSON.stringify(body.error));
    return dataOf<Answer>(body);
  }

  it('POST /context: sections with source and reason, within max_tokens, in three formats', async () => {
    const answer = await ask('context');
    assert.deepEqual(Object.keys(answer).sort(), ANSWER);
    assert.deepEqual(Object.keys(answer.budget).sort(), sorted('max used dropped'));
    assert.deepEqual([answer.budget.max, answer.budget.used], [4000, answer.token_estimate]);
    assert.deepEqual(
      new Set(answer.sections.map(({ path }) => path)),
      new Set(['docs/upload.md', 'src/retry.ts']),
    );
    for (const section of answer.sections) assert.deepEqual(Object.keys(section).sort(), OF_FILE);
    for (const format of ['markdown', 'xml', 'json']) {
      const { context, token_estimate } = await ask('context', { format, max_tokens: 100 });
      assert.ok(context.includes('retry') && token_estimate <= 100);
    }
    const all = await ask('context', { include_tests: true, max_sections: 1, include: ['code'] });
    assert.deepEqual(all.sections.length, 1);
    assert.equal((await send(service.url, 'POST', '/api/v1/ai/context', { body: ASKED })).status, 200);
  });

  it('POST /context: bad arguments are INVALID_ARGUMENT with their path', async () => {
    for (const [body, path] of [
      [{ ...ASKED, max_tokens: 99 }, '/max_tokens'],
      [{ ...ASKED, max_tokens: 100_001 }, '/max_tokens'],
      [{ ...ASKED, format: 'yaml' }, '/format'],
      [{ ...ASKED, include: ['memory'] }, '/include/0'],
      [{ ...ASKED, session_id: 's1' }, '/session_id'],
      [{}, '/query'],
    ] as const) {
      const reply = await post('context', body);
      assert.equal(reply.status, 400, path);
      assert.equal(issuePath(reply.body.error ?? {}), path);
    }
  });

  it('POST /context/enhanced: decisions first, events of the session, as of a time, or neither', async () => {
    const { sections } = await ask('context/enhanced', { session_id: 's1' });
    assert.equal(sections[0]?.['kind'], 'decision');
    assert.deepEqual(Object.keys(sections[0] ?? {}).sort(), OF_RECORD);
    assert.ok(sections.some(({ title }) => title === 'Standup'));
    const kinds = async (more: object) =>
      (await ask('context/enhanced', more)).sections.filter(({ id }) => id !== undefined).length;
    assert.equal(await kinds({ include_memory: false }), 0);
    assert.equal(await kinds({ as_of: '2020-01-01T00:00:00Z' }), 0);
  });

  it('init and context: what a conversation starts with, and each turn', async () => {
    const { body } = await send(service.url, 'GET', '/v1/ai/init?repository=git@host:team/shop.git');
    assert.deepEqual(Object.keys(dataOf<object>(body)).sort(), sorted('workspaces total current guide'));
    for (const [mode, max] of [
      ['fast', 1000],
      ['standard', 4000],
      ['pack', 16_000],
    ] as const)
      assert.equal((await ask('context/turn', { mode })).budget.max, max);
  });

  /** The most tokens of a call of `context`, by a client of each era. */
  const maxOf: Readonly<Record<string, (url: string, args: object) => Promise<unknown>>> = {
    'the revisions with sessions': async (url, args) => {
      const client = new Client({ name: 'spec', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const { structuredContent } = await client.callTool({ name: 'context', arguments: { ...args } });
      await client.close();
      return (structuredContent as Answer).budget.max;
    },
    'the stateless revision': async (url, args) => {
      const client = new modern.Client(
        { name: 'spec', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      await client.connect(new modern.StreamableHTTPClientTransport(new URL(url)));
      const { structuredContent } = await client.callTool({ name: 'context', arguments: { ...args } });
      await client.close();
      return (structuredContent as Answer).budget.max;
    },
  };
  for (const [era, max] of Object.entries(maxOf)) {
    it(`default_context_mode fills the mode of a call that names none, in ${era}, and through the gateway`, async () => {
      for (const { url } of [service, gateway]) {
        const mcp = `${url}/mcp?default_context_mode=fast`;
        assert.equal(await max(mcp, ASKED), 1000);
        assert.equal(await max(mcp, { ...ASKED, mode: 'standard' }), 4000);
        assert.equal(await max(`${url}/mcp`, ASKED), 4000);
        assert.equal(await max(mcp, { ...ASKED, mode: 'pack', max_tokens: 100_000 }), 20_000);
      }
    });
  }

  it('an unknown default_context_mode is 400, here and through the gateway', async () => {
    for (const { url } of [service, gateway]) {
      const reply = await send(url, 'POST', '/mcp?default_context_mode=slow', {
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers: { accept: 'application/json, text/event-stream' },
      });
      assert.equal(reply.status, 400);
      assert.match(reply.text, /one of fast, standard, pack/);
    }
  });
});
