import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { startService, type Service } from '../start-service.js';
import { BROWSER_TOOLS } from './browser-tools.js';
import { corpus, type SourceFile } from './corpus.js';
import { inProcess, type Driver, type Outcome, type SurfaceDriver } from './drivers/index.js';

const MODES = ['semantic', 'hybrid', 'keyword', 'pattern'] as const;
const NOBODY = '01890000-0000-7000-8000-000000000000';

/** Queries that find something in every mode, one of them not ASCII. */
const QUERIES: Readonly<Record<(typeof MODES)[number], readonly object[]>> = {
  semantic: [
    { query: 'how long does a failed document wait', limit: 5 },
    { query: 'Größe einer Datei 検索' },
  ],
  hybrid: [{ query: 'read a section of the deployment file', limit: 20 }, { query: 'Größe 検索エンジン' }],
  keyword: [
    { query: 'workspace admission', limit: 20, context_lines: 2 },
    { query: 'Größe', limit: 3 },
    { query: 'ServiceError', filters: { path_glob: 'core/src/boot/*.ts' }, output_format: 'paths' },
  ],
  pattern: [
    { query: 'throw new \\w+Error\\(', limit: 50, content_max_chars: 200 },
    { query: 'Gr(ö|oe)ße', case_sensitive: false },
    { query: 'export', output_format: 'count' },
  ],
};

/** The same questions and changes over each of these surfaces, and in this process: the answers are the same. */
export function describeSurfaces(surfaces: readonly SurfaceDriver[]): void {
  describe('surfaces: the same answers over every one', () => answersOver(surfaces));
}

function answersOver(surfaces: readonly SurfaceDriver[]): void {
  let service: Service;
  let reference: Driver;
  let files: SourceFile[];
  let workspaceId: string;
  let projectId: string;
  let emptyId: string;

  before(async () => {
    // A training in the middle of the comparison would change the ranking.
    service = await startService({
      search: { training: false },
      toolsets: { exclude: BROWSER_TOOLS },
    });
    reference = await inProcess.open(service);
    files = await corpus();
    ({ id: workspaceId } = await service.use<{ id: string }>('workspaces_create', { name: 'Team Größe' }));
    ({ id: projectId } = await service.use<{ id: string }>('projects_create', {
      workspace_id: workspaceId,
      name: 'core',
    }));
    ({ id: emptyId } = await service.use<{ id: string }>('workspaces_create', { name: 'nothing in it' }));
    await service.use('files_ingest', { project_id: projectId, files });
    await service.indexed(projectId);
  });
  after(() => service.stop());

  /** The part that two answers to one question must share: all but the duration. */
  const comparable = ({ structured, error }: Outcome): unknown => {
    assert.equal(error, undefined, JSON.stringify(error));
    const { took_ms: _time, ...rest } = structured ?? {};
    return rest;
  };

  it('has a corpus in which every query finds something', async () => {
    assert.ok(files.length >= 30);
    for (const mode of MODES) {
      for (const query of QUERIES[mode]) {
        const { structured } = await reference.call(`search_${mode}`, {
          ...query,
          workspace_id: workspaceId,
        });
        assert.ok((structured as { total: number }).total > 0, JSON.stringify(query));
      }
    }
  });

  for (const surface of surfaces) {
    describe(surface.name, function () {
      let driver: Driver;
      before(async () => {
        driver = await surface.open(service);
      });
      after(() => driver?.close());

      /** Asked once more when the reference changed meanwhile: upkeep of an index moves its scores a little. */
      const same = async (tool: string, args: object): Promise<void> => {
        for (let left = 5; ; left -= 1) {
          const here = comparable(await reference.call(tool, args));
          const there = comparable(await driver.call(tool, args));
          if (left === 0 || isDeepStrictEqual(comparable(await reference.call(tool, args)), here)) {
            return assert.deepEqual(there, here);
          }
        }
      };
      const fails = async (tool: string, args: object, code: string, path?: string): Promise<void> => {
        const { error } = await driver.call(tool, args);
        assert.equal(error?.code, code, JSON.stringify(error));
        assert.equal(error?.details?.issues?.[0]?.path, path);
        const here = await reference.call(tool, args);
        if (here.error?.code === code) assert.equal(error?.message, here.error.message);
      };

      it('lists the same tools', async () => {
        assert.deepEqual(await driver.tools(), await reference.tools());
      });

      it('shows the version', async () => {
        const { structured } = await driver.call('help', { action: 'version' });
        assert.deepEqual(structured, { server: 'service-mcp', version: service.host.deployment.version });
      });

      it('lists the workspaces', async () => {
        await same('workspaces_list', {});
        const { structured } = await driver.call('workspaces_list', { per_page: 1, page: 2 });
        assert.equal((structured as { items: unknown[] }).items.length, 1);
      });

      for (const mode of MODES) {
        it(`searches by ${mode}: the same results, scores, order and highlights`, async () => {
          for (const query of QUERIES[mode]) {
            await same(`search_${mode}`, { ...query, workspace_id: workspaceId });
          }
        });
      }

      it('reports the state of the index with an empty result', async () => {
        const { structured } = await driver.call('search_hybrid', { query: 'x', workspace_id: emptyId });
        const { results, index } = structured as { results: unknown[]; index: { state: string } };
        assert.deepEqual([results, index.state], [[], 'not_indexed']);
        const { structured: found } = await driver.call('search_keyword', {
          query: 'zyzzyva',
          workspace_id: workspaceId,
        });
        assert.equal((found as { index: { state: string } }).index.state, 'ready');
      });

      it('reads a file, whole and in part', async () => {
        const [note] = files as [SourceFile];
        const { structured } = await driver.call('files_read', { project_id: projectId, path: note.path });
        assert.equal(structured?.['content'], note.content);
        await same('files_read', {
          project_id: projectId,
          path: 'core/src/errors.ts',
          start_line: 3,
          end_line: 5,
        });
      });

      it('shows the index status of a project', async () => {
        await same('projects_index_status', { project_id: projectId });
      });

      it('writes files that every mode finds on other surfaces, and finds files written there', async () => {
        const word = `quagga${surfaces.indexOf(surface)}`;
        const files = (path: string) => [{ path, content: `# Notes\n\nThe ${word} is a striped animal.\n` }];
        const here = { project_id: projectId, files: files(`${word}/here.md`) };
        const there = { project_id: projectId, files: files(`${word}/there.md`) };
        const { structured, error } = await driver.call('files_ingest', there);
        assert.deepEqual([structured?.['changed'], error], [1, undefined]);
        await reference.call('files_ingest', here);
        await service.indexed(projectId);
        for (const mode of MODES) {
          const args = { query: word, workspace_id: workspaceId, limit: 5 };
          await same(`search_${mode}`, args);
          const found = (await driver.call(`search_${mode}`, args)).structured as {
            results: { path: string }[];
          };
          const paths = new Set(found.results.map(({ path }) => path));
          assert.ok(
            paths.has(`${word}/here.md`) && paths.has(`${word}/there.md`),
            `${mode}: ${[...paths].join()}`,
          );
        }
        const paths = [`${word}/here.md`, `${word}/there.md`];
        const removed = await driver.call('files_delete', { project_id: projectId, paths });
        assert.deepEqual(removed.structured, { removed: 2 });
        await service.indexed(projectId);
        await same('search_pattern', { query: word, workspace_id: workspaceId });
      });

      it('refuses a missing argument by its path', () =>
        fails('search_hybrid', { workspace_id: workspaceId }, 'INVALID_ARGUMENT', '/query'));

      it('refuses an unknown field by its path', () =>
        fails('workspaces_list', { colour: 'red' }, 'INVALID_ARGUMENT', '/colour'));

      it('refuses a value out of bounds inside an object by its path', () =>
        fails(
          'search_keyword',
          { query: 'x', workspace_id: workspaceId, filters: { languages: [''] } },
          'INVALID_ARGUMENT',
          '/filters/languages/0',
        ));

      it('refuses a display name in place of an id', () =>
        fails(
          'search_keyword',
          { query: 'x', workspace_id: 'Team Größe' },
          'INVALID_ARGUMENT',
          '/workspace_id',
        ));

      it('answers NOT_FOUND for an unknown id', async () => {
        await fails('projects_index_status', { project_id: NOBODY }, 'NOT_FOUND');
        await fails('search_semantic', { query: 'x', workspace_id: NOBODY }, 'NOT_FOUND');
        await fails('files_read', { project_id: projectId, path: 'no/such/file.ts' }, 'NOT_FOUND');
      });

      it(`answers ${surface.unknownTool} for a tool that does not exist`, () =>
        fails('no_such_tool', {}, surface.unknownTool));
    });
  }
}
