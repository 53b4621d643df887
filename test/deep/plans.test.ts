import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, trackedFiles } from '../checks/repository.js';
import { startService, type Service } from '../start-service.js';

/** A requirement as a maintainer writes it, and the files that a good plan names. */
interface Case {
  readonly requirements: string;
  readonly files: readonly string[];
}

const CASES: readonly Case[] = [
  {
    requirements:
      'Add a rate limit per API key to the file ingest route. A key that goes over it gets RATE_LIMITED with Retry-After, and the limit is a setting of the deployment.',
    files: [
      'core/src/call/call-limits.ts',
      'core/src/boot/config.ts',
      'plugins/workspaces/src/tools/ingest-files.ts',
    ],
  },
  {
    requirements:
      'Let memory search filter by the branch in the provenance of an event, so that an agent working on a branch sees what was learned there.',
    files: [
      'plugins/memory/src/tools/search-memory.ts',
      'plugins/memory/src/services/memory-search.ts',
      'plugins/memory/src/events.ts',
    ],
  },
  {
    requirements:
      '`projects_index_status` should tell how many files of each language failed, and the dashboard of an operator needs the same as a metric.',
    files: [
      'plugins/workspaces/src/tools/get-index-status.ts',
      'plugins/workspaces/src/services/index-statuses.ts',
    ],
  },
  {
    requirements:
      'memory_export must be able to leave out conversation events:\n- a query parameter that lists event types to skip\n- the import counts nothing for them\n- the format page in the docs says so',
    files: ['plugins/memory/src/tools/export-memory.ts', 'plugins/memory/src/transfer/memory-export.ts'],
  },
  {
    requirements:
      'When somebody revokes an API key, the audit log should say whose key it was, and listing keys should show when each was last used.',
    files: ['plugins/auth/src/tools/revoke-api-key.ts', 'plugins/auth/src/tools/list-api-keys.ts'],
  },
  {
    requirements:
      'Add Kotlin to the code graph: parse it, resolve its imports and classes, and count unresolved calls as in Java.',
    files: ['plugins/graph/src/resolve/languages/index.ts', 'plugins/graph/src/resolve/languages/java.ts'],
  },
  {
    requirements:
      'Callers of ai_context should be able to choose the tokenizer (cl100k_base or o200k_base); the reply names the one that was used.',
    files: [
      'plugins/ai/src/packing/tokenizer.ts',
      'plugins/ai/src/services/tokenizers.ts',
      'plugins/ai/src/schemas.ts',
    ],
  },
  {
    requirements:
      '`service-mcp ingest` should skip what a .serviceignore file lists, besides .gitignore, also in watch mode.',
    files: [
      'transports/cli/src/ingest/path-rules.ts',
      'transports/cli/src/ingest/walk-folder.ts',
      'transports/cli/src/ingest/watch-folder.ts',
    ],
  },
  {
    requirements:
      'Sessions of MCP clients that are idle for longer than the configured time are closed even if the process that served them is gone.',
    files: ['core/src/storage/sessions.ts'],
  },
  {
    requirements:
      'Impact analysis needs an option that leaves tests out of the affected symbols and of the risk.',
    files: [
      'plugins/graph/src/tools/analyze-impact.ts',
      'plugins/graph/src/query/impact.ts',
      'plugins/graph/src/query/risk.ts',
    ],
  },
];

/** Of the files of a case, averaged over the cases. */
const MIN_RECALL = 0.7;
/** A plan that names everything helps nobody. */
const MAX_FILES = 50;
const DECISIONS = [
  [
    'Rates are leased',
    'Rate limits are counted in the database and leased in batches.',
    'core/src/call/rate-limits.ts',
  ],
  [
    'Exports are streams',
    'An export of memory streams lines, without loss.',
    'plugins/memory/src/transfer/memory-export.ts',
  ],
] as const;
const THIS_FILE = 'test/deep/plans.test.ts';
const TEXT = /\.(?:ts|mjs|js|md)$/;
const BATCH = 100;

interface Plan {
  readonly steps: ReadonlyArray<{
    readonly order: number;
    readonly files: readonly string[];
    readonly symbols: readonly string[];
    readonly tests: readonly string[];
    readonly decisions: readonly string[];
    readonly depends_on: readonly number[];
  }>;
}

describe('plans for this repository', function () {
  this.timeout(900_000);
  let service: Service;
  let workspace_id: string;
  let project_id: string;
  const plans: Plan[] = [];
  before(async () => {
    service = await startService();
    workspace_id = (await service.use<{ id: string }>('workspaces_create', { name: 'own' })).id;
    project_id = (await service.use<{ id: string }>('projects_create', { workspace_id, name: 'service' })).id;
    const paths = trackedFiles().filter(
      (path) => path !== THIS_FILE && TEXT.test(path) && existsSync(join(ROOT, path)),
    );
    const files = paths
      .map((path) => ({ path, content: readFileSync(join(ROOT, path), 'utf8') }))
      .filter(({ content }) => content.trim() !== '');
    for (let at = 0; at < files.length; at += BATCH)
      await service.use('files_ingest', { project_id, files: files.slice(at, at + BATCH) });
    for (const [title, content, path] of DECISIONS)
      await service.use('memory_create_node', {
        workspace_id,
        project_id,
        title,
        content,
        node_type: 'decision',
        code_refs: [{ path }],
      });
    await service.indexed(project_id);
    for (const { requirements } of CASES) {
      const request = { workspace_id, project_id, requirements };
      plans.push((await service.use<{ plan: Plan }>('ai_generate_plan', request)).plan);
    }
  });
  after(() => service.stop());

  it(`names at least ${MIN_RECALL * 100} % of the files that matter, and at most ${MAX_FILES}`, () => {
    const recalls = CASES.map(({ files }, i) => {
      const named = new Set(plans[i]!.steps.flatMap((step) => step.files));
      assert.ok(named.size <= MAX_FILES, `${named.size} files`);
      return files.filter((path) => named.has(path)).length / files.length;
    });
    const recall = recalls.reduce((sum, one) => sum + one, 0) / recalls.length;
    assert.ok(
      recall >= MIN_RECALL,
      `recall is ${recall.toFixed(2)}: ${recalls.map((one) => one.toFixed(2)).join(', ')}`,
    );
  });

  it('cites files, symbols and decisions that exist, in steps that depend on earlier ones', async () => {
    const paths = new Set(trackedFiles());
    const steps = plans.flatMap((plan) => plan.steps);
    for (const step of steps) {
      for (const path of [...step.files, ...step.tests]) assert.ok(paths.has(path), path);
      assert.ok(step.depends_on.every((earlier) => earlier >= 1 && earlier < step.order));
    }
    for (const id of new Set(steps.flatMap(({ symbols }) => symbols)))
      await service.use('graph_dependencies', { project_id, target: { type: 'function', id }, limit: 1 });
    const decisions = new Set(steps.flatMap((step) => step.decisions));
    for (const node_id of decisions) await service.use('memory_get_node', { node_id });
    assert.ok(decisions.size > 0);
  });
});
