import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { onDatabase, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { createNode, newWorkspace, storeEvent, inNewWorkspaces } from './start-memory.js';
import { importLines } from './transfer.js';

interface Finding {
  readonly kind: string;
  readonly ids: string[];
  readonly reason: string;
  readonly suggestion: string;
}
interface Report {
  readonly items: readonly Finding[];
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly unchecked: number;
}
const LONG = 'The deployment of the gateway failed since its certificate had expired on the second node.';

/** What the hygiene report finds. */
export const hygieneSuite = (engine: TestDatabase['engine']): void =>
  onDatabase(engine, (fresh) => {
    describe('the hygiene report', () => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

      const store = async (content: string, title = 'Gateway down') =>
        (await storeEvent(host, { workspace_id, title, content })).id;
      const node = async (title: string, content: string, more: object = {}) =>
        (await createNode(host, { workspace_id, title, content, ...more })).id;
      const reportNow = (more: object = {}) =>
        host.use<Report>('memory_hygiene', { workspace_id, per_page: 100, ...more });
      /** A report that covers every record, however slow the machine. */
      const report = async (more: object = {}): Promise<Report> => {
        const found = await reportNow(more);
        return found.unchecked === 0 ? found : report(more);
      };
      const found = async (kind: string) =>
        (await report()).items.filter((each) => each.kind === kind).map(({ ids }) => ids);

      it('finds planted duplicates, junk, stale nodes and contradictions, and nothing else', async () => {
        const twins = [await store(LONG), await store(LONG), await store(`${LONG} `)];
        const junk = [
          await store('test', 'test'),
          await store('asdf', 'x'),
          await store('Lorem ipsum dolor sit amet consectetur', 'text'),
        ];
        const past = { valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' };
        const stale = await node('office address', 'We sit in the old mill by the river', past);
        const opposed = [
          await node('Timeout', 'The timeout of the upstream connection is 30 seconds'),
          await node('Timeout', 'The timeout of the upstream connection is 60 seconds'),
        ];
        await node('timeout', 'The timeout of the upstream connection was 45 seconds in March', {
          node_type: 'goal',
        });
        await store('A perfectly fine memory about how the release of March went', 'Release');
        await node('Language', 'The service is written in TypeScript, which everybody here reads');
        assert.deepEqual(await found('duplicate'), [twins]);
        assert.deepEqual((await found('junk')).flat().sort(), junk.toSorted());
        assert.deepEqual(await found('stale'), [[stale]]);
        assert.deepEqual(await found('contradiction'), [opposed]);
        const answer = await host.catalog.call(
          'memory_hygiene',
          { workspace_id, per_page: 100 },
          host.call(),
        );
        const text = completeResult(answer)
          .content.map((block) => ('text' in block ? block.text : ''))
          .join();
        assert.ok(text.includes(`contradiction Timeout [${opposed.join(', ')}]: nodes`), text);
        assert.ok(text.includes(`stale office address [${stale}]: `), text);
        const { items, total } = await report();
        const pages: Finding[] = [];
        for (let page = 1; page <= total; page++) pages.push(...(await report({ page, per_page: 1 })).items);
        assert.deepEqual(pages, items, 'pages of one are the whole');
        const ofJunk = await report({ kind: 'junk', page: 2, per_page: 2 });
        assert.equal(ofJunk.total, 3);
        assert.deepEqual(ofJunk.items, items.filter(({ kind }) => kind === 'junk').slice(2));
        assert.deepEqual(ofJunk.counts, { duplicate: 1, contradiction: 1, junk: 3, stale: 1 });
      });

      it('takes nodes of one type that hold at one time for duplicates, and keeps one in force', async () => {
        const twin = (more: object) => node('Gateway down', LONG, more);
        const first = { valid_from: '2020-01-01T00:00:00Z' };
        await twin({ ...first, valid_to: '2020-01-15T00:00:00Z' });
        const open = await twin({ valid_from: '2020-06-01T00:00:00Z' });
        await twin({ ...first, node_type: 'decision' });
        assert.deepEqual(await found('duplicate'), []);
        const past = await twin({ valid_from: '2020-02-01T00:00:00Z', valid_to: '2020-12-31T00:00:00Z' });
        const disputed = await twin({ valid_from: '2020-11-01T00:00:00Z', status: 'disputed' });
        const [finding, ...others] = (await report({ kind: 'duplicate' })).items;
        assert.deepEqual([finding?.ids, others], [[open, past, disputed].sort(), []]);
        const keeps = async (id: string) => {
          const [one] = (await report({ kind: 'duplicate' })).items;
          assert.ok(one?.suggestion.includes(`and keep ${id};`), one?.suggestion);
        };
        await keeps(open);
        const setStatus = (node_id: string, status: string) =>
          host.use('memory_set_node_status', { node_id, status });
        await setStatus(open, 'disputed');
        await setStatus(disputed, 'verified');
        await keeps(disputed);
        await setStatus(open, 'active');
        await host.use('memory_update_node', { node_id: open, valid_to: '2020-12-31T00:00:00Z' });
        await keeps(disputed);
      });

      it('follows what is changed, deleted and restored', async () => {
        const [a, b] = [await store(LONG), await store(LONG)];
        const junk = await store('asdf', 'x');
        assert.equal((await report()).total, 2);
        await host.use('memory_update_event', {
          event_id: junk,
          content: 'The mill has a new wheel.',
          title: 'Mill',
        });
        const ids = [b];
        const { change_id } = await host.use<{ change_id: string }>('memory_delete_many', {
          workspace_id,
          ids,
        });
        assert.equal((await report()).total, 0);
        await host.use('memory_undo', { change_id });
        assert.deepEqual(await found('duplicate'), [[a, b]]);
        await host.use('memory_update_event', { event_id: a, content: LONG.replace('second', '3rd') });
        assert.equal((await report()).total, 0);
      });

      it('finds copies that are stored at the same moment, and shows as many as one merge takes', async () => {
        await Promise.all(Array.from({ length: 24 }, () => store(LONG)));
        const [finding, ...others] = (await report()).items;
        assert.equal(others.length, 0);
        assert.equal(finding?.ids.length, 20);
        assert.match(finding?.reason ?? '', /^24 events say the same, the first 20 /);
      });

      it('finds a copy among many records that resemble it', async () => {
        const name = (i: number) => String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26));
        const line = (i: number) =>
          `The nightly build of the branch of ${name(i)} failed in run ${i} since its certificate had expired`;
        const first = await store(line(0), 'Build');
        for (let from = 1; from <= 130; from += 26)
          await Promise.all(Array.from({ length: 26 }, (_, i) => store(line(from + i), 'Build')));
        const second = await store(line(0), 'Build');
        assert.deepEqual(await found('duplicate'), [[first, second]]);
      });

      it('finds what is wrong behind a thousand older records that are sound', async () => {
        const project = await host.use<{ id: string }>('projects_create', { workspace_id, name: 'p' });
        const [path, content] = ['src/mill.ts', 'export const mill = 1;\n'];
        await host.use('files_ingest', { project_id: project.id, files: [{ path, content }] });
        const sound = Array.from({ length: 1000 }, (_, n) => ({
          record: 'node',
          id: `n${n}`,
          node_type: n % 2 === 0 ? 'fact' : 'goal',
          title: `Wheel ${n >> 1}`,
          content: `turns${n} wood${n} water${n}`,
          project_id: project.id,
          code_refs: [{ path }],
        }));
        await importLines(host, { workspace_id }, sound);
        const of = { project_id: project.id, code_refs: [{ path: 'src/gone.ts' }] };
        const ids = [
          await node('The mill', 'It grinds wheat', of),
          await node('The mill', 'Rye is what they make flour of', of),
        ];
        const { items } = await reportNow(); // the records that were not checked yet are not duplicates
        assert.deepEqual(
          items.map((each) => [each.kind, ...each.ids]),
          [['contradiction', ...ids], ...ids.map((id) => ['stale', id])],
        );
      });

      it('finds contradictions that edges state, between nodes that are held true', async () => {
        const contradicts = (target_id: string) => ({
          relations: [{ relation_type: 'contradicts', target_id }],
        });
        const first = await node('Rent', 'We rent the mill by the river');
        const second = await node('Ownership', 'The building belongs to us', contradicts(first));
        const past = { valid_from: '2020-01-01T00:00:00Z', valid_to: '2021-01-01T00:00:00Z' };
        await node('Loan', 'A bank owns the walls of it', { ...contradicts(first), ...past });
        const pair = [first, second].sort();
        assert.deepEqual(await found('contradiction'), [pair]);
        assert.match((await report()).items.find(({ ids }) => ids.includes(first))?.reason ?? '', /edge/);
        await host.use('memory_set_node_status', { node_id: first, status: 'disputed' });
        assert.deepEqual(await found('contradiction'), [pair]);
        await host.use('memory_supersede_node', { node_id: first, superseded_by: second });
        assert.deepEqual(await found('contradiction'), []);
      });

      it('says how many records it does not cover, and catches up with the next call', async () => {
        const marks = Array.from({ length: 300 }, () => ({ record_id: crypto.randomUUID(), workspace_id }));
        for (let at = 0; at < 300; at += 150)
          await host.database.sql('memory_unchecked').insert(marks.slice(at, at + 150));
        const { unchecked } = await reportNow();
        assert.ok(unchecked > 0 && unchecked < 300, String(unchecked));
        assert.ok((await reportNow()).unchecked < unchecked);
        assert.equal((await report()).unchecked, 0);
      });

      it('is read by several at once, while records change', async () => {
        const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => store(`${LONG} It is ${i % 4}.`)));
        const change = (event_id: string, i: number) =>
          host.use('memory_update_event', { event_id, content: `${LONG} It is ${i % 2}.` });
        await Promise.all([...ids.map(change), ...Array.from({ length: 8 }, () => report())]);
        const sizes = (await report()).items.map(({ reason }) => reason.slice(0, 9));
        assert.deepEqual(sizes, ['20 events', '20 events']);
      });

      it('sees nothing of another workspace', async () => {
        await store(LONG);
        await storeEvent(host, {
          workspace_id: await newWorkspace(host),
          title: 'Gateway down',
          content: LONG,
        });
        assert.equal((await report()).total, 0);
      });
    });
  });
