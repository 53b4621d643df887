import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeResult } from '@service-mcp/core/wire';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startService, type Service } from '../start-service.js';
import { ROOT, trackedFiles } from './repository.js';

/** Tokens of a text over those of the content in it. */
const MAX_FULL_RATIO = 1.25;
const MAX_PATHS_RATIO = 1.5;
const HITS = 10;

const QUERIES = [
  'where is a tool call admitted by workspace and role',
  'idempotency key replays the first result',
  'how does a plugin add a resource and announce its changes',
  'rate limit headers',
  'session of a client that opened with initialize',
];

/** The sources and the documentation of this repository. */
function corpus(): { path: string; content: string }[] {
  return trackedFiles()
    .filter((path) =>
      /^(?:core|docs|plugins\/[^/]+|transports\/[^/]+)\/(?:src|guides|adr)\/.*\.(?:ts|md)$/.test(path),
    )
    .map((path) => ({ path, content: readFileSync(join(ROOT, path), 'utf8') }));
}

describe('weight: texts of search results, in tokens of o200k_base', () => {
  let service: Service;
  let projectId: string;
  before(async () => {
    service = await startService({ search: { training: false } }); // training would change the ranking between runs
    const { id: workspace_id } = await service.use<{ id: string }>('workspaces_create', { name: 'w' });
    const { id: project_id } = await service.use<{ id: string }>('projects_create', {
      workspace_id,
      name: 'p',
    });
    const files = corpus();
    for (let at = 0; at < files.length; at += 500)
      await service.use('files_ingest', { project_id, files: files.slice(at, at + 500) });
    await service.indexed(project_id);
    projectId = project_id;
  });
  after(() => service.stop());

  async function search(args: object) {
    const { host } = service;
    const { content, structuredContent } = completeResult(
      await host.catalog.call('search_hybrid', { ...args, limit: HITS }, host.call()),
    );
    const { results } = structuredContent as unknown as SearchOutput; // its output schema
    assert.equal(results.length, HITS);
    assert.equal(content.length, 1);
    const [block] = content;
    assert.ok(block?.type === 'text');
    return { text: block.text, results };
  }

  const weigh = (text: string, parts: readonly string[], limit: number) => {
    const content = parts.reduce((sum, part) => sum + countTokens(part), 0);
    const ratio = countTokens(text) / content;
    assert.ok(ratio <= limit, `${ratio.toFixed(2)} times the content is more than ${limit}:\n${text}`);
  };

  for (const query of QUERIES) {
    it(`full: ${query}`, async () => {
      const { text, results } = await search({ query });
      for (const { path, start_line, end_line, symbol = '', content } of results)
        for (const part of [`${path}:${start_line}-${end_line}`, symbol, content.trimEnd()])
          assert.ok(text.includes(part));
      weigh(
        text,
        results.map(({ content }) => content),
        MAX_FULL_RATIO,
      );
    });

    // In the project's own id, which the text repeats where the call lacks it, tokens differ from run to run.
    it(`paths: ${query}`, async () => {
      const { text, results } = await search({ query, project_id: projectId, output_format: 'paths' });
      for (const { path } of results) assert.ok(text.includes(path));
      weigh(
        text,
        results.map(({ path }) => path),
        MAX_PATHS_RATIO,
      );
    });
  }
});
