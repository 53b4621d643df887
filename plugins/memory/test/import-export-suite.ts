import assert from 'node:assert/strict';
import { MAX_LINE_BYTES, uuidv7 } from '@service-mcp/core';
import { onDatabase, rejects, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { indexed, newWorkspace, startMemory } from './start-memory.js';
import { fillMemory, type Stored } from './fill-memory.js';
import { comparable, exportLines, importLines, type Exported } from './transfer.js';

/** Import of an export, and what of it is refused. */
export const importExportSuite = (engine: TestDatabase['engine']): void =>
  void describe('import and export of memory', () => {
    onDatabase(engine, (fresh) => {
      let host: TestHost;
      let source: string;
      let lines: Exported[];
      before(async () => {
        host = await startMemory(await fresh());
        source = await newWorkspace(host);
        await fillMemory(host, source);
        lines = await exportLines(host, source);
      });
      after(() => host.stop());

      it('an export holds every record, in a fixed order, without what belongs to the workspace', async () => {
        const kinds = lines.map(({ record }) => record);
        assert.equal(kinds.lastIndexOf('event'), 5);
        assert.deepEqual(kinds.slice(0, 7), [...Array<string>(6).fill('event'), 'node']);
        assert.equal(lines.filter(({ record }) => record === 'edge').length, 5);
        let node: unknown;
        for (const line of lines) {
          if (line.record === 'node') node = line['id'];
          if (line.record === 'version') assert.equal(line['node_id'], node);
          for (const field of ['workspace_id', 'indexing_status', 'indexing_error'])
            assert.ok(!JSON.stringify(line).includes(`"${field}"`), field);
        }
        assert.deepEqual(await exportLines(host, source), lines);
      });

      it('comes back the same from another workspace, and a second import changes nothing', async () => {
        const target = await newWorkspace(host);
        const first = await importLines(host, { workspace_id: target }, lines);
        assert.deepEqual(first, { imported: lines.length, skipped: 0, failed: 0, redacted: 0, errors: [] });
        const copy = await exportLines(host, target);
        const withoutProject = lines.map((line) => ({
          ...line,
          ...('project_id' in line && { project_id: null }),
        }));
        assert.deepEqual(comparable(copy), comparable(withoutProject));
        const ids = new Set(lines.map(({ id }) => id));
        assert.ok(copy.every(({ id }) => id === undefined || !ids.has(id)));

        const again = await importLines(host, { workspace_id: target }, [...lines, { record: 'end' }]);
        assert.deepEqual(again, { imported: 0, skipped: lines.length, failed: 0, redacted: 0, errors: [] });
        assert.deepEqual(await exportLines(host, target), copy);
        // A copy of the copy, too.
        const third = await newWorkspace(host);
        await importLines(host, { workspace_id: third }, copy);
        assert.deepEqual(comparable(await exportLines(host, third)), comparable(copy));
      });

      it('an interrupted import goes on where it ended', async () => {
        const target = await newWorkspace(host);
        const half = lines.slice(0, 9);
        assert.equal((await importLines(host, { workspace_id: target }, half)).imported, half.length);
        const rest = await importLines(host, { workspace_id: target }, lines);
        assert.deepEqual([rest.imported + rest.skipped, rest.failed], [lines.length, 0]);
        assert.equal((await exportLines(host, target)).length, lines.length);
      });

      it('imported memory is found by search, tags, times and relations like other memory', async () => {
        const target = await newWorkspace(host);
        await importLines(host, { workspace_id: target }, lines);
        await indexed(host, target);
        const found = await host.use<{ results: Stored[] }>('memory_search', {
          workspace_id: target,
          query: 'Event 3',
        });
        assert.ok(found.results.length > 0);
        const tagged = await host.use<{ total: number }>('memory_list_events', {
          workspace_id: target,
          tags: ['t3'],
        });
        assert.equal(tagged.total, 1);
        const then = { workspace_id: target, as_of: new Date().toISOString() };
        assert.equal((await host.use<{ total: number }>('memory_list_nodes', then)).total, 5); // one is superseded
        const twin = await host.use<{ duplicates: unknown[] }>('memory_create_event', {
          workspace_id: target,
          event_type: 'note',
          title: 'Event 3 \u2028 "quoted" 😀',
          content: 'What happened in 3:\n\ttabs, \\ and é\u0001.',
        });
        assert.equal(twin.duplicates.length, 1);
      });

      it('restores into its own workspace what was deleted there, and leaves the rest alone', async () => {
        const workspace_id = await newWorkspace(host);
        const { nodes } = await fillMemory(host, workspace_id);
        const before = await exportLines(host, workspace_id);
        assert.equal((await importLines(host, { workspace_id }, before)).skipped, before.length);
        await host.use('memory_delete_node', { node_id: nodes[4] });
        const after = await importLines(host, { workspace_id }, before);
        assert.deepEqual([after.imported, after.failed], [3, 0]); // the node, its version and its edge
        const restored = await exportLines(host, workspace_id);
        assert.equal(restored.length, before.length);
        assert.equal((await importLines(host, { workspace_id }, before)).imported, 0);
      });

      it('takes what was imported and deleted again, whether or not it has left the index', async () => {
        const workspace_id = await newWorkspace(host);
        await importLines(host, { workspace_id }, lines);
        const [event] = (await exportLines(host, workspace_id)) as [Exported];
        await host.use('memory_delete_event', { event_id: event['id'] });
        const { imported, skipped } = await importLines(host, { workspace_id }, lines);
        assert.deepEqual([imported, skipped], [1, lines.length - 1]);
        assert.deepEqual((await exportLines(host, workspace_id))[0], event);
      });

      it('keeps projects that the workspace has, and puts others where the caller says', async () => {
        const target = await newWorkspace(host);
        const project = await host.use<Stored>('projects_create', { workspace_id: target, name: 'Here' });
        await importLines(host, { workspace_id: target, project_id: project.id }, lines);
        const copy = await exportLines(host, target);
        assert.equal(copy.find(({ record }) => record === 'event')?.['project_id'], project.id);
        assert.equal(copy.find(({ record }) => record === 'node')?.['project_id'], null);
        const foreign = importLines(host, { workspace_id: target, project_id: uuidv7() }, []);
        await rejects(foreign, 'NOT_FOUND');
      });

      const least = (n: number) => ({
        record: 'event',
        id: `e${n}`,
        event_type: 'note',
        title: 'T',
        content: 'C',
      });

      it('names faulty lines and takes the others', async () => {
        const workspace_id = await newWorkspace(host);
        const far = '2999-01-01T00:00:00Z';
        const node = { record: 'node', node_type: 'fact', title: 'T', content: 'C' };
        const bad: ReadonlyArray<readonly [string | object, RegExp]> = [
          ['{', /not valid JSON/],
          ['[]', /not a JSON object/],
          [`{"a":"${'x'.repeat(MAX_LINE_BYTES)}"}`, /over 1048576 bytes/],
          ['{"record":"event","title":"\\u0000"}', /NUL/],
          [{ ...least(0), record: 'file' }, /record: must be one of event, node, version, edge/],
          [{ ...least(0), record: 'constructor' }, /record: must be one of/],
          [{ title: 'T' }, /record: must be one of/],
          [{ ...least(0), extra: 1 }, /extra: is not a known field/],
          [
            { ...least(0), a: 1, b: 2, c: 3, d: 4, e: 5 },
            /a: is not.*; b: is not.*; c: is not .*; and 2 more/,
          ],
          [{ ...least(0), workspace_id: source }, /workspace_id: is not a known field/],
          [{ ...least(0), title: '' }, /title/],
          [{ ...least(0), content: 'é'.repeat(60_000) }, /content: must have at most 100000 bytes/],
          [{ ...least(0), metadata: { a: 'x'.repeat(400_000) } }, /metadata: must have at most/],
          [{ ...least(0), occurred_at: 'yesterday' }, /occurred_at: must be an RFC 3339 time/],
          [{ ...least(0), created_at: far }, /created_at: must not be in the future/],
          [{ ...node, id: 'n', node_type: 'rumour' }, /node_type: must be one of/],
          [
            { ...node, id: 'n', valid_from: '2025-02-01T00:00:00Z', valid_to: '2025-01-01T00:00:00Z' },
            /valid_to: must not be before/,
          ],
          [
            {
              record: 'version',
              node_id: 'x',
              version: 1,
              recorded_at: '2025-01-01T00:00:00Z',
              node: { ...node, record: undefined, id: 'x' },
            },
            /versions follow their node/,
          ],
          [
            {
              record: 'edge',
              id: 'e',
              source_node_id: 'x',
              target_node_id: 'y',
              relation_type: 'related_to',
            },
            /source_node_id: x is not a node/,
          ],
        ];
        const sent = bad.flatMap(([line], at) => [line, least(at + 1)]);
        const { imported, failed, errors } = await importLines(host, { workspace_id }, sent);
        assert.deepEqual([imported, failed], [bad.length, bad.length]);
        for (const [at, [, message]] of bad.entries()) {
          const error = errors.find(({ line }) => line === 2 * at + 1);
          assert.match(error?.message ?? 'no error', message, `line ${2 * at + 1}`);
        }
        const many = await importLines(host, { workspace_id }, Array<string>(150).fill('nonsense'));
        assert.deepEqual([many.failed, many.errors.length], [150, 100]);
      });

      it('takes secrets out of what it stores', async () => {
        const workspace_id = await newWorkspace(host);
        const key = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5'].join('_'); // in one piece, scanners would report it
        const { imported, redacted } = await importLines(host, { workspace_id }, [
          { ...least(1), content: `The key is ${key}.` },
          { ...least(2), metadata: { deploy: { password: 'Xk29fjQ0slw8' } } },
          least(3),
        ]);
        assert.deepEqual([imported, redacted], [3, 2]);
        const stored = JSON.stringify(await exportLines(host, workspace_id));
        assert.ok(!stored.includes(key) && !stored.includes('Xk29fjQ0slw8'));
      });

      it('adds nothing to the history of a node that was there', async () => {
        const workspace_id = await newWorkspace(host);
        await importLines(host, { workspace_id }, lines);
        const copy = await exportLines(host, workspace_id);
        const forged = lines
          .filter(({ record }) => record === 'version')
          .map((line) => ({ ...line, version: 77, recorded_at: '2020-01-01T00:00:00.000Z' }));
        const own = copy
          .filter(({ record }) => record === 'version')
          .map((line) => ({ ...line, version: 78 }));
        const { imported, skipped } = await importLines(host, { workspace_id }, [...forged, ...own]);
        assert.deepEqual([imported, skipped], [0, forged.length + own.length]);
        assert.deepEqual(await exportLines(host, workspace_id), copy);
      });

      it('lets an admin alone name other creators', async () => {
        const workspace_id = await newWorkspace(host);
        const [member, admin, viewer] = [
          await host.member(workspace_id, 'member'),
          await host.member(workspace_id, 'admin'),
          await host.member(workspace_id, 'viewer'),
        ];
        const by = (n: number, created_by: string) => ({ ...least(n), created_by });
        const sent = [least(1), by(2, member.userId), by(3, admin.userId)];
        const { imported, errors } = await importLines(host, { workspace_id }, sent, member);
        assert.equal(imported, 2);
        assert.deepEqual(
          errors.map(({ line }) => line),
          [3],
        );
        assert.match(errors[0]?.message ?? '', /created_by: names another user, which takes the role admin/);
        assert.equal((await importLines(host, { workspace_id }, sent, admin)).imported, 1);
        const stored = await exportLines(host, workspace_id, viewer);
        assert.deepEqual(
          stored.map((line) => String(line['created_by'])).sort(),
          [member.userId, member.userId, admin.userId].sort(),
        );
        await rejects(importLines(host, { workspace_id }, sent, viewer), 'PERMISSION_DENIED');
      });

      it('two imports of the same lines at once store each record once', async () => {
        const workspace_id = await newWorkspace(host);
        const results = await Promise.all([1, 2, 3].map(() => importLines(host, { workspace_id }, lines)));
        const sum = (field: 'imported' | 'skipped' | 'failed') =>
          results.reduce((all, one) => all + one[field], 0);
        assert.deepEqual(
          [sum('imported'), sum('skipped'), sum('failed')],
          [lines.length, 2 * lines.length, 0],
        );
        assert.equal((await exportLines(host, workspace_id)).length, lines.length);
      });

      it('is the memory in the export of the whole workspace', async () => {
        const records: Exported[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const args = { workspace_id: source, limit: 3, ...(cursor && { cursor }) };
          const page = await host.use<{ records: Exported[]; next: string | null }>(
            'workspaces_export',
            args,
          );
          records.push(...page.records);
          cursor = page.next;
        }
        const isMemory = ({ record }: Exported) => ['event', 'node', 'version', 'edge'].includes(record);
        assert.deepEqual(records.filter(isMemory), lines);
      });

      it('the cursor of an export reads no history of another workspace', async () => {
        const workspace_id = await newWorkspace(host);
        const id = String(lines.find(({ record }) => record === 'node')?.['id']);
        const read = async (cursor: string): Promise<Exported[]> => {
          const args = { workspace_id, cursor, limit: 100 };
          return (await host.use<{ records: Exported[] }>('workspaces_export', args)).records;
        };
        let parts = 0;
        for (;;) {
          const page = await read(`${parts}:node ${id}`).catch((error: unknown) => error);
          if (!Array.isArray(page)) break; // after the last part
          assert.ok(!JSON.stringify(page).includes(id), `part ${parts}`);
          parts += 1;
        }
        assert.ok(parts > 3, `${parts} parts`);
      });
    });
  });
