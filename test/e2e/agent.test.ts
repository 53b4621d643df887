import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startService, type Service } from '../start-service.js';

const SHOP = [
  {
    path: 'src/uploads/retry-upload.ts',
    content:
      "import { backOff } from './back-off.js';\n/** Sends an upload again until the gateway accepts it. */\nexport async function retryUpload(send: () => Promise<void>): Promise<void> {\n  for (let tried = 0; ; tried += 1) {\n    if (await backOff(tried, send)) return;\n  }\n}\n",
  },
  {
    path: 'src/uploads/back-off.ts',
    content:
      'export async function backOff(tried: number, send: () => Promise<void>): Promise<boolean> {\n  await pause(2 ** tried);\n  return send().then(() => true, () => false);\n}\nfunction pause(seconds: number): Promise<void> {\n  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));\n}\n',
  },
  { path: 'src/cart.ts', content: 'export function totalOf(prices: number[]): number {\n  return 0;\n}\n' },
  { path: 'docs/uploads.md', content: '# Uploads\n\nA failed upload is sent again with growing pauses.\n' },
];
const DECISION = {
  title: 'Retry uploads instead of resuming them',
  content: 'The gateway keeps no parts of an upload, so that a failed one is sent again whole.',
};

describe('an agent that only knows the address', () => {
  let service: Service;
  let agent: Client;
  let ids: { readonly workspace_id: string; readonly project_id: string };
  before(async () => {
    service = await startService({ search: { training: false } });
    const workspace = (name: string) => service.use<{ id: string }>('workspaces_create', { name });
    const project = (workspace_id: string, name: string) =>
      service.use<{ id: string }>('projects_create', { workspace_id, name });
    const [{ id: workspace_id }, { id: other }] = [await workspace('Shop'), await workspace('Elsewhere')];
    const [{ id: project_id }, elsewhere] = [
      await project(workspace_id, 'shop'),
      await project(other, 'tools'),
    ];
    ids = { workspace_id, project_id };
    await service.use('files_ingest', { project_id, files: SHOP });
    await service.use('files_ingest', { project_id: elsewhere.id, files: SHOP.slice(2) });
    await service.use('memory_create_node', { workspace_id, node_type: 'decision', ...DECISION });
    const theirs = { title: 'Uploads are resumed there', content: 'They resume an upload after a failure.' };
    await service.use('memory_create_node', { workspace_id: other, node_type: 'decision', ...theirs });
    const task = { event_type: 'task', title: 'Limit the pause', content: 'Pauses grow without a limit.' };
    await service.use('memory_create_event', { workspace_id, ...task });
    await service.indexed(project_id);
    const pending = async () => {
      const asked = { workspace_id, query: 'upload' };
      return (await service.use<{ index: { pending: number } }>('memory_search', asked)).index.pending;
    };
    while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 25));
    agent = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  });
  after(async () => {
    await agent.close();
    await service.stop();
  });

  /** What a model reads of a result. */
  async function call(name: string, args: Record<string, unknown>): Promise<string> {
    const { content, isError } = await agent.callTool({ name, arguments: args });
    const texts = (content as ReadonlyArray<{ readonly text?: string }>).map(({ text = '' }) => text);
    assert.notEqual(isError, true, texts.join());
    return texts.join('\n');
  }

  it('is told to call init and context, and two calls give it ids, decisions and the files that matter', async () => {
    const instructions = agent.getInstructions() ?? '';
    assert.match(instructions, /\binit\b.*\bcontext\b/s);
    const tools = new Set((await agent.listTools()).tools.map(({ name }) => name));
    assert.ok(tools.has('init') && tools.has('context'));

    const start = await call('init', { repository: 'https://example.com/team/shop.git' });
    const [, workspace_id, project_id] =
      /Pass on workspace_id (\S+) and project_id (\S+)\./.exec(start) ?? [];
    assert.deepEqual({ workspace_id, project_id }, ids);
    const [own = ''] = start.split('Workspace Elsewhere');
    assert.ok(own.includes(DECISION.title) && own.includes('Limit the pause'), start);
    const guide = start.slice(start.indexOf('Call next'));
    for (const [, tool] of guide.matchAll(/^ {2}(\w+):/gm))
      assert.ok(tool !== undefined && tools.has(tool), `${tool} is not in the list of the agent`);

    const query = 'how does a failed upload get sent again';
    const answer = await call('context', { query, workspace_id, project_id });
    assert.match(answer, new RegExp(`^### decision of [\\d-]{10}: ${DECISION.title}`));
    for (const { path, content } of [SHOP[0]!, SHOP[1]!])
      assert.ok(
        answer.includes(path) &&
          answer.includes(content.slice(content.indexOf('export')).trim().split('\n}\n')[0]!),
      );
    assert.ok(answer.includes('docs/uploads.md'));
    assert.ok(!answer.includes('They resume'));
  });

  it('gets an error that names the tool with the ids when it guesses one', async () => {
    const { content, isError } = await agent.callTool({
      name: 'context',
      arguments: { query: 'upload', workspace_id: 'Shop' },
    });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), /workspaces_list/);
  });
});
