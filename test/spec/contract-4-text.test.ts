import assert from 'node:assert/strict';
import { eachEndpoint } from './each-endpoint.js';
import { send } from './http.js';

interface Answer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

const CODE = 'export function dimLamp(level: number): number {\n  return level / 2;\n}\n';

describe('contract.md 4: texts of results for a model', () =>
  eachEndpoint((endpoint) => {
    let workspaceId: string;
    let projectId: string;
    before(async () => {
      const { service } = endpoint;
      workspaceId = (await service.use<{ id: string }>('workspaces_create', { name: 'texts' })).id;
      const made = { workspace_id: workspaceId, name: 'lamps' };
      projectId = (await service.use<{ id: string }>('projects_create', made)).id;
      const files = ['a', 'b'].map((name) => ({ path: `src/${name}.ts`, content: CODE }));
      await service.use('files_ingest', { project_id: projectId, files });
      await service.indexed(projectId);
    });

    /** The same call over MCP, JSON-RPC and the compatibility route: they must agree. */
    async function call(name: string, args: object): Promise<Answer> {
      const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const headers = { accept: 'application/json' };
      const [mcp, json] = await Promise.all(
        ['/client', '/api/v1/rpc'].map((path) =>
          send<{ result: Answer }>(endpoint.url, 'POST', path, { body: rpc, headers }),
        ),
      );
      const plain = await send<Answer>(endpoint.url, 'POST', `/api/v1/tools/${name}`, { body: args });
      const answers = [mcp?.body.result, json?.body.result, plain.body];
      for (const answer of answers) assert.deepEqual(answer?.content, answers[0]?.content);
      assert.ok(answers[0]);
      return answers[0];
    }
    const text = async (name: string, args: object) => {
      const { content } = await call(name, args);
      assert.equal(content.length, 1);
      return content[0]?.text;
    };
    const search = (args: object) =>
      text('search_pattern', { query: 'dimLamp', workspace_id: workspaceId, ...args });

    it('a hit is a block of path, lines, symbol and content; the next calls follow', async () => {
      const hit = (name: string) =>
        `=== src/${name}.ts:1-1 dimLamp\nexport function dimLamp(level: number): number {`;
      const next = `files_read project_id ${projectId}`;
      assert.equal(await search({}), `${hit('a')}\n\n${hit('b')}\n\n${next}`);
      assert.equal(await search({ limit: 1, project_id: projectId }), `${hit('a')}\n\nMore: offset 1 of 2`);
      const { structuredContent } = await call('search_pattern', {
        query: 'dimLamp',
        workspace_id: workspaceId,
      });
      assert.equal((structuredContent['results'] as object[]).length, 2);
    });

    it('paths are a line each, counts a number', async () => {
      const paths = { output_format: 'paths', project_id: projectId };
      assert.equal(await search(paths), 'src/a.ts\nsrc/b.ts');
      assert.equal(await search({ output_format: 'count' }), 'Total: 2\nIndex: ready.');
    });

    it('nothing found says the state of the index', async () => {
      assert.equal(await search({ query: 'candle' }), 'No results.\nIndex: ready.');
      assert.equal(await search({ offset: 5 }), 'No results from offset 5, of 2.\nIndex: ready.');
      const { id } = await endpoint.service.use<{ id: string }>('workspaces_create', { name: 'none' });
      const text = (await search({ workspace_id: id })) ?? '';
      assert.match(text, /^No results\.\nIndex: not_indexed\.\nWarning: .*files_ingest/);
      await endpoint.service.use('workspaces_delete', { workspace_id: id });
    });

    it('several projects are numbered', async () => {
      const made = { workspace_id: workspaceId, name: 'more' };
      const { id } = await endpoint.service.use<{ id: string }>('projects_create', made);
      const files = [{ path: 'c.ts', content: CODE }];
      await endpoint.service.use('files_ingest', { project_id: id, files });
      await endpoint.service.indexed(id);
      const lines = ((await search({ output_format: 'paths' })) ?? '').split('\n');
      assert.deepEqual(lines, [
        'c.ts [1]',
        'src/a.ts [2]',
        'src/b.ts [2]',
        '',
        `files_read project_id [1] ${id}, [2] ${projectId}`,
      ]);
      await endpoint.service.use('projects_delete', { project_id: id });
    });

    it('a file is its content under one line', async () => {
      const read = { project_id: projectId, path: 'src/a.ts' };
      assert.equal(await text('files_read', read), `src/a.ts, lines 1 to 3 of 3\n${CODE}`);
    });

    it('lists are a line an item, and how to continue', async () => {
      const files = await text('files_list', { project_id: projectId, per_page: 1 });
      assert.equal(files, `src/a.ts: typescript, 3 lines, ${CODE.length} bytes\nMore of 2: page 2`);
      const projects = await text('projects_list', { workspace_id: workspaceId });
      assert.equal(projects, `${projectId} lamps; 2 files, ready\n1 in all`);
      const workspaces = (await text('workspaces_list', {})) ?? '';
      assert.ok(workspaces.includes(`${workspaceId} texts; owner\n`), workspaces);
    });
  }));
