import assert from 'node:assert/strict';
import { ModelServer, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { openTokenizer } from '@service-mcp/plugin-ai/internals';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';

interface Answer {
  readonly plan: { readonly id?: string; readonly generator: string };
  readonly warnings: readonly string[];
}
interface Sent {
  readonly evidence: {
    readonly draft: readonly object[];
    readonly records: ReadonlyArray<{ readonly title: string }>;
  };
}
const FILES = [{ path: 'src/retry.ts', content: 'export function retryUpload(): void {}\n' }];
const MADE = JSON.stringify({
  title: 'Count',
  summary: 'Count retries.',
  steps: [
    {
      title: 'Count retries',
      description: 'Count them.',
      files: ['src/retry.ts'],
      symbols: [],
      depends_on: [],
      risk: 'low',
      decisions: [],
      tests: [],
      effort: 'small',
    },
  ],
  open_questions: [],
});

describe('limits of a plan from a language model', () => {
  const requirements = 'Count the retries of retryUpload.';
  let server: ModelServer;
  let host: TestHost;
  let workspace_id: string;
  before(async () => {
    server = new ModelServer();
    server.complete = () => MADE;
    const config = {
      ...AT_REST,
      ai: { chat_url: await server.start(), chat_model: 'm', chat_prompt_tokens: 1000 },
      workspaces: { quota_nodes: 4 },
    };
    host = await testHost({ plugins: PLUGINS, config, workers: true });
    const nodes = ['first', 'second', 'third'].map((title) => ({
      node_type: 'decision',
      title: `${title} decision on the retries of retryUpload`,
      content: `To count retries of retryUpload, the ${title} time. ${'上传失败时系统应当重新发送。'.repeat(50)}`,
    }));
    ({ workspace_id } = await fillWorkspace(host, FILES, nodes));
  });
  after(async () => {
    await host.stop();
    await server.stop();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });

  const plan = (more: object = {}) =>
    host.use<Answer>('ai_generate_plan', { workspace_id, requirements, ...more });

  it('are kept by what is sent of memory, the best records first', async () => {
    assert.equal((await plan()).plan.generator, 'model');
    const content = server.requests[0]?.body.messages?.at(-1)?.content ?? '';
    const { evidence } = JSON.parse(content) as Sent;
    const tokens = (await openTokenizer()).count(content);
    assert.ok(tokens <= 1000, `${tokens}`);
    assert.ok(evidence.draft.length > 0 && evidence.records.length < 3);
  });

  it('lose no plan to a quota: it comes without being saved, or is refused before the model is asked', async () => {
    const last = { workspace_id, node_type: 'fact', title: 'Last', content: 'The last one.' };
    const choices = [{ message: { content: MADE } }];
    server.faults.push(async (response) => {
      await host.use('memory_create_node', last); // while the model writes
      response.writeHead(200).end(JSON.stringify({ choices }));
    });
    const { plan: made, warnings } = await plan({ save: true });
    assert.deepEqual([made.generator, made.id], ['model', undefined]);
    assert.match(warnings.join(), /not saved: The workspace may hold 4 nodes/);
    server.requests.length = 0;
    await rejects(plan({ save: true }), 'RESOURCE_EXHAUSTED', /quota_nodes/);
    assert.equal(server.requests.length, 0);
  });
});
