import assert from 'node:assert/strict';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ERRORS } from '@service-mcp/core';
import { CODES, log, start, type Running } from './fixture.js';

/** The methods that these tests use of both client generations. */
interface AnyClient {
  getInstructions(): string | undefined;
  close(): Promise<void>;
  listTools(): Promise<{ tools: readonly object[] }>;
  listResources(): Promise<{ resources: readonly object[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: readonly object[] }>;
  readResource(params: { uri: string }): Promise<{ contents: readonly object[] }>;
  listPrompts(): Promise<{ prompts: readonly object[] }>;
  getPrompt(params: {
    name: string;
    arguments: Record<string, string>;
  }): Promise<{ messages: readonly object[] }>;
  complete(params: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments?: Record<string, string> };
  }): Promise<{ completion: object }>;
  call(name: string, args?: object, options?: CallOptions): Promise<ToolAnswer>;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number }) => void;
}

interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function legacy(url: string): Promise<AnyClient> {
  const client = new LegacyClient({ name: 'test', version: '1' });
  await client.connect(new LegacyHttp(new URL(url)));
  const call: AnyClient['call'] = async (name, args = {}, options = {}) =>
    (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as unknown as ToolAnswer;
  return Object.assign(client, { call }); // one shape for two generations
}

async function modern(url: string): Promise<AnyClient> {
  const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernHttp(new URL(url)));
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
  const call: AnyClient['call'] = async (name, args = {}, options = {}) =>
    (await client.callTool({ name, arguments: { ...args } }, options)) as unknown as ToolAnswer;
  return Object.assign(client, { call }); // as above
}

for (const [era, connect] of [
  ['SDK 1.x client (legacy)', legacy],
  ['SDK 2.x client (modern)', modern],
] as const) {
  describe(`mcp: ${era}`, () => {
    let running: Running;
    let client: AnyClient;
    before(async () => {
      running = await start();
      client = await connect(running.url);
    });
    after(async () => {
      await client.close();
      await running.host.stop();
    });
    beforeEach(() => log.splice(0));

    it('gets instructions that name existing tools only', () => {
      assert.match(client.getInstructions() ?? '', /things_echo/);
      assert.doesNotMatch(client.getInstructions() ?? '', /things_hidden/);
    });

    it('lists the tools of the selection in one page, sorted, with title, hints and output schema', async () => {
      const { tools } = (await client.listTools()) as { tools: readonly Record<string, unknown>[] };
      const names = tools.map((tool) => String(tool['name']));
      assert.deepEqual(names, [
        'things_ask',
        'things_big',
        'things_echo',
        'things_fail',
        'things_picture',
        'things_slow',
      ]);
      const echo = tools[2] ?? {};
      assert.equal(echo['title'], 'Echo a text');
      assert.deepEqual(echo['annotations'], {
        title: 'Echo a text',
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      assert.equal((echo['outputSchema'] as { type: string }).type, 'object');
      assert.deepEqual((echo['inputSchema'] as { required: string[] }).required, ['text']);
    });

    it('gets structured content and the same as compact JSON text', async () => {
      const result = await client.call('things_echo', { text: 'ü "x"' });
      assert.deepEqual(result.structuredContent, { text: 'ü "x"', by: 'local owner' });
      assert.deepEqual(result.content, [{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
      assert.notEqual(result.isError, true);
    });

    it('gets the content blocks of a tool', async () => {
      const { content } = await client.call('things_picture');
      assert.deepEqual(
        content.map(({ type }) => type),
        ['text', 'image', 'resource_link'],
      );
      assert.equal(content[0]?.text, '{"n":1}');
    });

    it('reads bad arguments as a result that names the field', async () => {
      const result = await client.call('things_big', { limit: -1 });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent, undefined);
      const error = result._meta?.['service-mcp/error'] as {
        code: string;
        details: { issues: { path: string }[] };
      };
      assert.equal(error.code, 'INVALID_ARGUMENT');
      assert.equal(error.details.issues[0]?.path, '/limit');
      assert.match(result.content[0]?.text ?? '', /^INVALID_ARGUMENT: .*limit/);
    });

    for (const code of CODES) {
      const { mcp: kind, rpc: number } = ERRORS[code];
      it(`gets ${code} as ${kind}`, async () => {
        const answer = client.call('things_fail', { code });
        if (kind === 'result') {
          const { isError, _meta, structuredContent, content } = await answer;
          assert.equal(isError, true);
          assert.equal(structuredContent, undefined);
          assert.equal((_meta?.['service-mcp/error'] as { code?: string } | undefined)?.code, code);
          assert.match(content[0]?.text ?? '', new RegExp(`^${code}: `));
        } else if (kind === 'protocol') {
          await assert.rejects(answer, (error: { code: number }) => error.code === number);
        } else {
          await assert.rejects(answer); // clients treat each HTTP status their own way; raw.test.ts has the statuses
        }
      });
    }

    it('never shows the text of a foreign error', async () => {
      const result = await client.call('things_fail', { code: 'foreign' });
      assert.equal((result._meta?.['service-mcp/error'] as { code?: string } | undefined)?.code, 'INTERNAL');
      assert.doesNotMatch(JSON.stringify(result), /SELECT|vault|\.js/);
    });

    it('gets UNKNOWN_TOOL as the protocol error -32602', async () => {
      await assert.rejects(client.call('no_such_tool'), (error: { code: number }) => error.code === -32602);
      await assert.rejects(client.call('things_hidden'), (error: { code: number }) => error.code === -32602);
    });

    it('reports progress in order, growing, before the result', async () => {
      const seen: number[] = [];
      const result = await client.call(
        'things_slow',
        { ms: 0 },
        { onprogress: ({ progress }) => seen.push(progress) },
      );
      assert.deepEqual(result.structuredContent, { done: true });
      assert.deepEqual(seen, [1, 2, 3]);
    });

    it('cancels a call that runs', async () => {
      const controller = new AbortController();
      const onprogress = () => controller.abort();
      await assert.rejects(
        client.call('things_slow', { ms: 60_000 }, { signal: controller.signal, onprogress }),
      );
      for (let i = 0; log.length < 2 && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.deepEqual(log, ['started', 'aborted']);
    });

    it('gets the arguments that make a too large result smaller', async () => {
      const fits = await client.call('things_big', { limit: 79_000 });
      assert.equal((fits.structuredContent as { text: string }).text.length, 79_000);
      const over = await client.call('things_big', { limit: 81_000 });
      assert.equal(over.isError, true);
      assert.match(over.content[0]?.text ?? '', /about 202\d\d tokens.*narrow limit/);
    });

    it('reads resources, prompts and completions', async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map((resource) => (resource as { uri: string }).uri),
        ['things://one'],
      );
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.equal((resourceTemplates[0] as { uriTemplate: string }).uriTemplate, 'things://all/{id}');
      const { contents } = await client.readResource({ uri: 'things://all/7' });
      assert.deepEqual(contents, [{ uri: 'things://all/7', text: 'thing 7' }]);
      await assert.rejects(client.readResource({ uri: 'things://none' }), (error: { code: number }) =>
        [-32602, -32002].includes(error.code),
      );
      const { prompts } = await client.listPrompts();
      assert.equal((prompts[0] as { name: string }).name, 'things_start');
      const { messages } = await client.getPrompt({ name: 'things_start', arguments: { topic: 'tea' } });
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Start with tea.' } }]);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'things://all/{id}' },
        argument: { name: 'id', value: 'a' },
      });
      assert.deepEqual(completion, { values: ['alpha'], total: 1, hasMore: false });
      const chosen = await client.complete({
        ref: { type: 'ref/resource', uri: 'things://all/{id}' },
        argument: { name: 'id', value: 'a' },
        context: { arguments: { shelf: 'apple' } },
      });
      assert.deepEqual(chosen.completion, { values: ['alpha', 'apple'], total: 2, hasMore: false });
    });

    it('sees every tool under the ceiling on the named endpoints', async () => {
      const other = await connect(running.url.replace('/mcp', '/agent-a'));
      const { tools } = await other.listTools();
      assert.equal(tools.length, 7);
      await other.close();
    });
  });
}
