import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { completeResult } from '@service-mcp/core/wire';
import { onDatabase, testHost, type TestHost } from '@service-mcp/core/testing';
import { openTokenizer } from '@service-mcp/plugin-ai/internals';
import { AT_REST, fillWorkspace, PLUGINS } from './support/filled-workspace.js';
import type { Answer } from './support/uploads.js';

onDatabase('sqlite', (fresh) => {
  describe('context of several projects', () => {
    let host: TestHost;
    let workspace_id: string;
    let project_id: string;
    let other_id: string;
    const query = 'retry an upload';
    before(async () => {
      host = await testHost({ plugins: PLUGINS, config: AT_REST, database: await fresh(), workers: true });
      const own = [
        { path: 'src/send.py', content: `def retry_upload():\n${'    attempt_upload()\n'.repeat(40)}` },
      ];
      ({ workspace_id, project_id } = await fillWorkspace(host, own));
      const other = await host.use<{ id: string }>('projects_create', { workspace_id, name: 'Other' });
      other_id = other.id;
      const files = [
        { path: 'lib/again.py', content: `def upload_retry():\n${'    upload_once()\n'.repeat(40)}` },
      ];
      await host.use('files_ingest', { project_id: other_id, files });
      const stateOf = async () =>
        (await host.use<{ state: string }>('projects_index_status', { project_id: other_id })).state;
      while ((await stateOf()) !== 'ready') await delay(50);
    });
    after(() => host.stop());

    const textOf = async (tool: string, more: object) => {
      const answer = await host.catalog.call(tool, { query, workspace_id, ...more }, host.call());
      return completeResult(answer)
        .content.map((block) => ('text' in block ? block.text : ''))
        .join('\n');
    };

    for (const [tool, more] of [
      ['context', { mode: 'fast' }],
      ['context', { mode: 'standard' }],
      ['ai_context', {}],
    ] as const) {
      it(`names the project of each file: ${tool} ${JSON.stringify(more)}`, async () => {
        const { sections } = await host.use<Answer>(tool, { query, workspace_id, ...more });
        assert.deepEqual(
          new Set(sections.map((section) => `${section.path} ${section.project_id}`)),
          new Set([`src/send.py ${project_id}`, `lib/again.py ${other_id}`]),
        );
        const text = await textOf(tool, more);
        assert.match(text, new RegExp(`files_read project_id .*${project_id} for src/send\\.py`));
        assert.match(text, new RegExp(`${other_id} for lib/again\\.py`));
        const narrow = await textOf(tool, { ...more, project_id });
        assert.ok(narrow.includes('src/send.py') && !narrow.includes('files_read'), narrow);
      });
    }

    it('counts in the budget what a model reads behind the context', async () => {
      const tokenizer = await openTokenizer();
      for (const tool of ['context', 'ai_context'])
        for (const more of [{ project_id }, {}])
          for (const max_tokens of [100, 130, 200, 1000]) {
            const tokens = tokenizer.count(await textOf(tool, { ...more, max_tokens }));
            assert.ok(tokens > 40 && tokens <= max_tokens, `${tool} ${max_tokens}: ${tokens}`);
          }
    });

    it('has recent decisions of the project that is named, and shared ones', async () => {
      const decide = (title: string, project?: string) => {
        const decision = { workspace_id, node_type: 'decision', title, content: title };
        return host.use('memory_create_node', { ...decision, ...(project && { project_id: project }) });
      };
      await decide('Own retries', project_id);
      await decide('Shared retries');
      for (let at = 0; at < 5; at++) await decide(`Other retries ${at}`, other_id);
      const decisions = async (more: object) => {
        const asked = { query, workspace_id, mode: 'fast', ...more };
        const { sections } = await host.use<Answer>('context', asked);
        return sections.filter(({ kind }) => kind === 'decision').length;
      };
      assert.deepEqual([await decisions({}), await decisions({ project_id })], [5, 2]);
    });

    it('begins with the project of the repository that is named, if there is one', async () => {
      const made = async (tool: string, values: object) => (await host.use<{ id: string }>(tool, values)).id;
      const repository_url = 'https://host/team/api';
      const api = await made('projects_create', { workspace_id, name: 'api', repository_url });
      const web = await made('projects_create', { workspace_id, name: 'web' });
      const meant = async (repository: string) =>
        (await host.use<{ current: { project_id: string } | null }>('init', { repository })).current
          ?.project_id;
      for (const repository of ['git@host:team/api.git', '/home/me/api', 'C:\\api', 'api'])
        assert.equal(await meant(repository), api, repository);
      assert.equal(await meant('https://host/another/api'), null);
      assert.equal(await meant('https://host/team/web'), web);
      const another = await made('workspaces_create', { name: 'Another' });
      await made('projects_create', { workspace_id: another, name: 'web' });
      assert.equal(await meant('https://host/team/web'), undefined);
    });

    it('names the one project that all files are of', async () => {
      await host.use('files_delete', { project_id: other_id, paths: ['lib/again.py'] });
      while ((await textOf('context', {})).includes('lib/again.py')) await delay(50);
      assert.match(await textOf('context', {}), new RegExp(`files_read project_id ${project_id}$`));
    });
  });
});
