import assert from 'node:assert/strict';
import { MAX_RESULT_TOKENS } from '@service-mcp/transport-mcp';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer';
import { startService, type Service } from '../start-service.js';

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: {
    readonly 'service-mcp/cut'?: { readonly next: { readonly name: string; readonly arguments: object } };
  };
}

const LINES = Array.from({ length: 3000 }, (_, n) => `line ${n} ${'of a very long file '.repeat(n % 7)}`);
const folder = (n: number) => `${String(n).padStart(3, '0')}/${'long/'.repeat(150 + ((n * 37) % 40))}`;
const PATHS = Array.from({ length: 130 }, (_, n) => `${folder(n)}needle.txt`);

describe('results that are more than MCP may carry, of the tools of this service', () => {
  let service: Service;
  let project_id: string;
  before(async () => {
    service = await startService({ search: { training: false } });
    const workspace = await service.use<{ id: string }>('workspaces_create', { name: 'long' });
    const made = { workspace_id: workspace.id, name: 'texts' };
    ({ id: project_id } = await service.use<{ id: string }>('projects_create', made));
    const files = PATHS.map((path, n) => ({ path, content: `needle ${n}\n${'hay '.repeat(n * 20)}\n` }));
    files.push({ path: 'long.txt', content: `${LINES.join('\n')}\n` });
    await service.use('files_ingest', { project_id, files });
    await service.indexed(project_id);
  });
  after(() => service.stop());

  async function call(name: string, args: object): Promise<Answer> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const response = await fetch(`${service.url}/agent-a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { result } = (await response.json()) as { result: Answer };
    assert.notEqual(result.isError, true, result.content[0]?.text);
    assert.ok(result.content.reduce((sum, { text }) => sum + text.length, 0) / 4 <= MAX_RESULT_TOKENS);
    return result;
  }

  /** Results of the follow-up calls that cut results name, in order, and the number of cut results. */
  async function collect<T>(name: string, args: object, read: (answer: Answer['structuredContent']) => T[]) {
    const seen: T[] = [];
    let cuts = 0;
    for (let next: object | undefined = args; next;) {
      const { structuredContent, _meta } = await call(name, next);
      seen.push(...read(structuredContent));
      next = _meta?.['service-mcp/cut']?.next.arguments;
      if (next) cuts += 1;
    }
    return { seen, cuts };
  }

  it('a page of files', async () => {
    const first = await call('files_list', { project_id, per_page: 100 });
    assert.ok(first._meta?.['service-mcp/cut'], 'the page is to be longer than a result may be');
    const seen: string[] = [];
    for (let next: object | undefined = { project_id, per_page: 100 }; next;) {
      const { structuredContent: page, _meta } = await call('files_list', next);
      seen.push(...(page['items'] as { path: string }[]).map(({ path }) => path));
      const { has_next, page: at, per_page } = page as { has_next: boolean; page: number; per_page: number };
      const cut = _meta?.['service-mcp/cut'];
      assert.ok(!cut || has_next);
      next = cut?.next.arguments ?? (has_next ? { project_id, page: at + 1, per_page } : undefined);
    }
    assert.deepEqual(seen, [...PATHS, 'long.txt']);
  });

  it('the lines of a file', async () => {
    const range = fc.record({
      start_line: fc.integer({ min: 1, max: 1500 }),
      end_line: fc.integer({ min: 1500, max: 3000 }),
    });
    await fc.assert(
      fc.asyncProperty(range, async (lines) => {
        const { seen } = await collect('files_read', { project_id, path: 'long.txt', ...lines }, (part) =>
          String(part['content']).split('\n').slice(0, -1),
        );
        assert.deepEqual(seen, LINES.slice(lines.start_line - 1, lines.end_line));
      }),
      { numRuns: 10 },
    );
    const whole = { project_id, path: 'long.txt' };
    const { seen, cuts } = await collect('files_read', whole, (part) =>
      String(part['content']).split('\n').slice(0, -1),
    );
    assert.deepEqual(seen, LINES);
    assert.ok(cuts > 0);
  });

  it('results of a search', async () => {
    const query = { project_id, query: 'needle', limit: 100, content_max_chars: 10_000 };
    const { seen, cuts } = await collect('search_pattern', query, (found) =>
      (found['results'] as { path: string }[]).map(({ path }) => path),
    );
    assert.ok(cuts > 0);
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length >= 100);
  });

  it('a context of prose, whose tokens have more characters than results may', async () => {
    const { workspace_id } = await service.use<{ workspace_id: string }>('projects_get', { project_id });
    const made = { workspace_id, name: 'prose' };
    const { id } = await service.use<{ id: string }>('projects_create', made);
    const prose = (n: number) =>
      Array.from(
        { length: 12 },
        (_, of) =>
          `Lighthouse number ${n * 12 + of} illuminates uncharacteristically extraordinary archipelagos.`,
      ).join('\n');
    const files = Array.from({ length: 130 }, (_, n) => ({
      path: `${n}.md`,
      content: `# Part ${n}\n\n${prose(n)}\n`,
    }));
    await service.use('files_ingest', { project_id: id, files });
    await service.indexed(id);
    const asked = { workspace_id, project_id: id, query: 'lighthouse archipelago', max_tokens: 100_000 };
    for (const [name, more] of [
      ['ai_context', { format: 'json', max_sections: 200 }],
      ['context', { mode: 'pack' }],
    ] as const) {
      const { structuredContent } = await call(name, { ...asked, ...more });
      const { budget, sections } = structuredContent as { budget: { max: number }; sections: object[] };
      assert.equal(budget.max, MAX_RESULT_TOKENS);
      assert.ok(sections.length > 30);
      assert.ok(JSON.stringify(structuredContent).length / 4 <= MAX_RESULT_TOKENS);
    }
  });

  it('a file of Chinese, Japanese or emoji, as models count them', async () => {
    const texts = {
      'zh.txt': '数据库连接池在超时之后应当重新建立连接并且记录错误日志以便运维人员检查原因。\n',
      'ja.txt': 'データベース接続プールはタイムアウト後に再接続し、エラーログを記録します。\n',
      'emoji.txt': '😀😂🎉🚀🔥👍\n',
    };
    const files = Object.entries(texts).map(([path, line]) => ({
      path,
      content: line.repeat(100_000 / line.length),
    }));
    await service.use('files_ingest', { project_id, files });
    for (const path of Object.keys(texts)) {
      const { content } = await call('files_read', { project_id, path });
      assert.ok(countTokens(content.map(({ text }) => text).join('\n')) <= 1.1 * MAX_RESULT_TOKENS, path);
    }
  });
});
