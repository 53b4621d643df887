import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { onDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { AT_REST, fillWorkspace, PLUGINS, type FilledWorkspace } from './support/filled-workspace.js';

const FILES = {
  'src/upload/retry.ts': 'export function retryUpload(id: string): void {\n  send(id);\n}\n',
  'src/routes/upload-route.ts':
    "import { retryUpload } from '../upload/retry.js';\nexport const uploadRoute = () => retryUpload('1');\n",
};
const LEDGER = "export const booked = 'select 1 from ledger_entries where id = $1';\n";
const NODES = [
  {
    node_type: 'decision',
    title: 'Retry uploads\n## twice',
    content: 'An upload is retried twice.',
    code_refs: [{ path: 'src/upload/retry.ts' }],
  },
];

onDatabase('sqlite', (fresh) => {
  describe('the text of a plan', () => {
    let host: TestHost;
    let filled: FilledWorkspace;
    before(async () => {
      host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh(), workers: true });
      const files = Object.entries({ ...FILES, 'src/ledger.ts': LEDGER }).map(([path, content]) => ({
        path,
        content,
      }));
      filled = await fillWorkspace(host, files, NODES);
    });
    after(() => host.stop());

    const textOf = async (requirements: string, more: object = {}) => {
      const { workspace_id } = filled;
      const asked = { workspace_id, requirements, ...more };
      const answer = await host.catalog.call('ai_generate_plan', asked, host.call());
      return completeResult(answer)
        .content.map((block) => ('text' in block ? block.text : ''))
        .join('\n');
    };

    it('has each decision once, with its title, and the steps that respect it', async () => {
      const text = await textOf('Let retryUpload count how often it sends an upload');
      const [id = ''] = filled.nodes;
      assert.deepEqual(text.match(/^D\d .*$/gmu), [`D1 Retry uploads ## twice [${id}]`]);
      assert.match(text, /^ {3}respects: D1$/mu);
      assert.equal(text.split(id).length, 2);
    });

    it('has the title of a decision about the code that the requirements do not mention', async () => {
      assert.match(await textOf('Let uploadRoute zebra an octopus'), /^D1 Retry uploads ## twice \[/mu);
    });

    it('does not deny what the code holds because memory does not hold it', async () => {
      const text = await textOf('Let uploadRoute zebra an upload');
      assert.match(text, /uploadRoute/);
      assert.match(text, /Nothing holds .*"zebra"/);
      assert.doesNotMatch(text, /Nothing holds .*"uploadRoute"/);
    });

    it('says what a step is for only where the plan has several parts', async () => {
      for (const end of ['', '.', ` ${'and again '.repeat(20)}.`])
        assert.doesNotMatch(
          await textOf(`Let retryUpload count how often it sends an upload${end}`),
          /For: /,
        );
      const parts = 'Uploads:\n- Let retryUpload count how often it sends\n- Let uploadRoute show the count';
      assert.match(await textOf(parts), /^ {3}For: Let retryUpload count/mu);
    });

    it('asks whether a name is to be made that is nowhere, not inside of a statement either', async () => {
      const text = await textOf('Empty ledger_entries each night, and keep ledger_totals');
      assert.match(text, /files: .*src\/ledger\.ts/);
      assert.match(text, /Nothing is called `ledger_totals`/);
      assert.doesNotMatch(text, /called `ledger_entries`/);
    });

    it('names the project of its files where the call named none', async () => {
      const { project_id } = filled;
      const requirement = 'Let retryUpload count how often it sends an upload';
      assert.match(await textOf(requirement), new RegExp(`^files_read project_id ${project_id}$`, 'mu'));
      assert.doesNotMatch(await textOf(requirement, { project_id }), /files_read/);
    });
  });
});
