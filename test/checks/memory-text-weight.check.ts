import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startService, type Service } from '../start-service.js';
import { MEMORIES } from './memories.js';

/** Tokens of a text over those of the titles and contents of the records in it. */
const MAX_RATIO = 1.3;
const RESULTS = 10;

interface Stored {
  readonly id: string;
}
interface Read extends Stored {
  readonly title: string;
}

describe('weight: texts of memory results, in tokens of o200k_base', () => {
  let service: Service;
  let workspace_id: string;
  const contents = new Map<string, string>();
  before(async () => {
    service = await startService({ search: { training: false } });
    workspace_id = (await service.use<Stored>('workspaces_create', { name: 'w' })).id;
    for (const { type, title, content, date } of MEMORIES) {
      const said = { workspace_id, title, content };
      const { id } = await (type === 'decision'
        ? service.use<Stored>('memory_create_node', { ...said, node_type: type, valid_from: date })
        : service.use<Stored>('memory_create_event', { ...said, event_type: type, occurred_at: date }));
      contents.set(id, `${title}\n${content}`);
    }
    const pending = async () => {
      let total = 0;
      for (const kind of ['events', 'nodes']) {
        const args = { workspace_id, indexing_status: 'pending' };
        total += (await service.use<{ total: number }>(`memory_list_${kind}`, args)).total;
      }
      return total;
    };
    while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  after(() => service.stop());

  async function weigh(tool: string, args: object, list: 'results' | 'items'): Promise<string> {
    const { host } = service;
    const answer = await host.catalog.call(tool, { workspace_id, ...args }, host.call());
    const { content, structuredContent } = completeResult(answer);
    const [block] = content;
    assert.ok(content.length === 1 && block?.type === 'text');
    const shown = (structuredContent as unknown as Record<string, Read[]>)[list] ?? []; // its output schema
    assert.ok(shown.length >= RESULTS / 2 && shown.length <= RESULTS); // a search leaves out what is far from it
    for (const { id, title } of shown) assert.ok(block.text.includes(id) && block.text.includes(title));
    const weight = shown.reduce((sum, { id }) => sum + countTokens(contents.get(id) ?? ''), 0);
    const ratio = countTokens(block.text) / weight;
    assert.ok(
      ratio <= MAX_RATIO,
      `${ratio.toFixed(2)} times the contents is more than ${MAX_RATIO}:\n${block.text}`,
    );
    return block.text;
  }

  for (const query of [
    'why do we use PostgreSQL for a team and not one database for all',
    'token refresh fails after sleep',
    'what is left to do for the latency of a search in the index',
  ])
    it(`memory_search: ${query}`, async () => {
      const text = await weigh('memory_search', { query, limit: RESULTS }, 'results');
      assert.equal(text.match(/, the newest: /g)?.length, 1, text);
    });

  it('memory_decisions', async () => {
    const text = await weigh('memory_decisions', { per_page: RESULTS }, 'items');
    assert.match(text, /^2026-03-20 .* \(the newest\) \[/);
  });

  it('memory_timeline', async () => {
    const text = await weigh('memory_timeline', { per_page: RESULTS }, 'items');
    assert.equal(text.match(/ decision, the newest: /g)?.length, 1, text);
  });
});
