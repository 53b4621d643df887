import assert from 'node:assert/strict';
import { completeResult } from '@service-mcp/core/wire';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { createNode, storeEvent, tick, type Made, inNewWorkspaces } from './start-memory.js';
import { importLines } from './transfer.js';

const LONG = 'The deployment of the gateway failed since its certificate had expired on the second node.';
/** A record has at most a thousand tags. */
const FULL = Array.from({ length: 21 }, (_, n) => Array.from({ length: 50 }, (__, at) => `t${n}-${at}`));

eachDatabase((fresh) => {
  describe('what is merged and what is not', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });
    const supersede = (node_id: string) =>
      host.use<{ new: Made }>('memory_supersede_node', { node_id, title: 'newer', content: 'newer' });
    const setStatus = (node_id: string) =>
      host.use<Made>('memory_set_node_status', { node_id, status: 'active' });

    it('texts that differ in a sign are not merged', async () => {
      const pairs = [
        ['The driver of the printer is written in C++', 'The driver of the printer is written in C#'],
        ['Retry the request where load > limit', 'Retry the request where load < limit'],
        ['Alert the team where state == ready', 'Alert the team where state != ready'],
        ['The offset of the clock is -5 seconds', 'The offset of the clock is 5 seconds'],
        ['The licence costs €100 a year', 'The licence costs $100 a year'],
        ['🎉🎉', '🔥❌'],
        ['The settings are read from src/app/config.ts', 'The settings are read from src/app-config.ts'],
        ['The header of each call is x-api.key', 'The header of each call is x-api-key'],
        ['The load of a node is total*count', 'The load of a node is total/count'],
        ['The offset of the clock (-7) is wrong', 'The offset of the clock (7) is wrong'],
        ['Do we deploy on Fridays?', 'Do we deploy on Fridays.'],
      ] as const;
      for (const [first, content] of pairs) {
        await storeEvent(host, { workspace_id, title: 'Decided', content: first });
        const second = { workspace_id, title: 'Decided', content, on_duplicate: 'merge' };
        assert.equal((await storeEvent(host, second))['content'], content);
      }
    });

    it('no word of a new record is lost in the one that it is merged into', async () => {
      const rule = (where: string, more = '') =>
        `Each night the export of the ledger goes from the vault to ${where}, is checked by the team on duty, and stays there for the auditors of the finance department.${more}`;
      const merge = (content: string) =>
        storeEvent(host, { workspace_id, title: 'Export', content, on_duplicate: 'merge' });
      const first = await merge(rule('the staging cluster in Oslo'));
      const others = [
        rule('the production cluster in Oslo'),
        rule('the staging cluster in Oslo', ' Old ones are shredded.'),
        rule('the Oslo cluster in staging'),
      ];
      for (const content of others) assert.equal((await merge(content))['content'], content);
      assert.equal((await merge(rule('the STAGING cluster — in Oslo'))).id, first.id);
      assert.equal((await merge(rule('the staging-cluster in Oslo'))).id, first.id);
      assert.equal((await merge(rule('the staging cluster'))).id, first.id, 'it says less');
      const answer = await host.catalog.call(
        'memory_create_event',
        {
          workspace_id,
          event_type: 'note',
          title: 'Export',
          content: rule('a cluster in Oslo'),
          on_duplicate: 'merge',
        },
        host.call(),
      );
      assert.match(JSON.stringify(completeResult(answer).content), /Stored .*nearly the same: /);
    });

    it('nodes that differ in a sign do not contradict each other', async () => {
      const findings = async () => {
        const { items } = await host.use<{ items: ReadonlyArray<{ kind: string }> }>('memory_hygiene', {
          workspace_id,
        });
        return items.filter(({ kind }) => kind === 'contradiction').length;
      };
      for (const [title, content] of Object.entries({ Gateway: LONG, 'Gateway & Co': LONG }))
        await createNode(host, { workspace_id, title, content });
      assert.equal(await findings(), 0);
      await createNode(host, { workspace_id, title: 'Gateway 2', content: LONG });
      assert.equal(await findings(), 1);
    });

    it('a fact that holds again is not merged into one whose validity ended', async () => {
      const fact = { workspace_id, title: 'Office', content: 'We sit in the old mill by the river' };
      const [valid_from, valid_to] = ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'];
      const ended = await createNode(host, { ...fact, valid_from, valid_to });
      const same = { ...fact, valid_from: '2020-06-01T00:00:00Z', valid_to, on_duplicate: 'merge' };
      assert.equal((await createNode(host, same)).id, ended.id);
      const again = await createNode(host, { ...fact, on_duplicate: 'merge' });
      assert.notEqual(again.id, ended.id);
      assert.equal(again['valid_to'], null);
    });

    it('a decision is not merged into a note of the same text', async () => {
      const said = { workspace_id, title: 'Gateway', content: LONG };
      const note = await storeEvent(host, said);
      const decided = { ...said, event_type: 'decision', on_duplicate: 'merge' };
      const decision = await storeEvent(host, decided);
      assert.deepEqual([decision['event_type'], decision.duplicates], ['decision', []]);
      assert.equal((await storeEvent(host, decided)).id, decision.id);
      assert.equal((await storeEvent(host, { ...said, on_duplicate: 'merge' })).id, note.id);
      const { counts } = await host.use<{ counts: object }>('memory_hygiene', { workspace_id });
      assert.deepEqual(counts, { duplicate: 0, contradiction: 0, junk: 0, stale: 0 });
    });

    it('a node that holds is not merged into one that is disputed or still to come', async () => {
      const again = (title: string, more: object = {}) =>
        createNode(host, { workspace_id, title, content: LONG, on_duplicate: 'merge', ...more });
      for (const [title, more] of Object.entries({
        Disputed: { status: 'disputed' },
        Later: { valid_from: '2999-01-01T00:00:00Z' },
      })) {
        const first = await again(title, more);
        const second = await again(title);
        assert.notEqual(second.id, first.id, title);
        assert.ok(
          second.duplicates.some(({ id }) => id === first.id),
          title,
        );
        assert.equal((await again(title)).id, second.id);
        await host.use('memory_delete_node', { node_id: second.id });
      }
    });

    it('a merge is refused whose result could not be imported', async () => {
      const ids: string[] = [];
      for (const [n, tags] of FULL.entries())
        ids.push((await storeEvent(host, { workspace_id, title: `e${n}`, tags })).id);
      const [keep = '', last = ''] = [ids[0], ids[20]];
      await host.use('memory_merge', { ids: ids.slice(0, 20), keep });
      await rejects(host.use('memory_merge', { ids: [keep, last], keep }), 'INVALID_ARGUMENT', /one record/);
      assert.equal((await host.use<Made>('memory_get_event', { event_id: keep })).tags.length, 1000);
    });

    it('a new record is refused where its twin cannot hold its tags', async () => {
      const again = (tags: readonly string[]) =>
        storeEvent(host, { workspace_id, title: 'Gateway', content: LONG, tags, on_duplicate: 'merge' });
      for (const tags of FULL.slice(0, 20)) await again(tags);
      await rejects(again(FULL[20] ?? []), 'CONFLICT', /on_duplicate "keep"/);
    });

    it('a node may hold again whose successor was deleted', async () => {
      const { id } = await createNode(host, { workspace_id, title: 'old' });
      const { new: successor } = await supersede(id);
      await rejects(setStatus(id), 'CONFLICT', new RegExp(successor.id));
      await host.use('memory_delete_node', { node_id: successor.id });
      const { status, valid_to, superseded_by } = await setStatus(id);
      assert.deepEqual([status, valid_to, superseded_by], ['active', null, null]);
      await host.use('memory_update_node', { node_id: id, valid_to: '2999-12-24' });
      const { new: second } = await supersede(id);
      await host.use('memory_delete_node', { node_id: second.id });
      const { new: third } = await supersede(id);
      assert.equal(third['supersedes'], id);
      await host.use('memory_delete_node', { node_id: third.id });
      assert.equal((await setStatus(id))['valid_to'], '2999-12-24T23:59:59.999Z', 'its end before');
    });

    it('a node is not merged into the one that it superseded', async () => {
      const { id } = await createNode(host, { workspace_id, title: 'old' });
      const { new: successor } = await supersede(id);
      const ids = [id, successor.id];
      await rejects(
        host.use('memory_merge', { ids, keep: id }),
        'INVALID_ARGUMENT',
        new RegExp(successor.id),
      );
      await host.use('memory_merge', { ids, keep: successor.id });
    });

    describe('a node whose successor is merged', () => {
      const create = async (title: string) => (await createNode(host, { workspace_id, title })).id;
      const get = (node_id: string) => host.use<Made>('memory_get_node', { node_id });
      const change = async (tool: string, args: object) =>
        (await host.use<{ change_id: string }>(tool, args)).change_id;
      const merge = (keep: string, other: string) => change('memory_merge', { ids: [keep, other], keep });
      const remove = (id: string) => change('memory_delete_many', { workspace_id, ids: [id] });
      const undo = (change_id: string) => host.use('memory_undo', { change_id });
      let [old, merged, kept] = ['', '', ''];
      beforeEach(async () => {
        [old, merged, kept] = [await create('old'), await create('merged'), await create('kept')];
        await host.use('memory_supersede_node', { node_id: old, superseded_by: merged });
      });

      it('keeps what was changed since where the merge is undone', async () => {
        const change_id = await merge(kept, merged);
        await tick();
        await host.use('memory_update_node', { node_id: old, tags: ['later'] });
        await undo(change_id);
        const { tags, superseded_by } = await get(old);
        assert.deepEqual([tags, superseded_by], [['later'], merged]);
        assert.equal((await get(merged))['supersedes'], old);
      });

      it('names the merged one again, whatever became of the kept one since', async () => {
        const first = await merge(kept, merged);
        await tick();
        await host.use('memory_update_node', { node_id: kept, tags: ['later'] });
        await undo(first);
        assert.deepEqual([(await get(merged))['supersedes'], (await get(kept))['supersedes']], [old, null]);
        const second = await merge(kept, merged);
        await host.use('memory_delete_node', { node_id: kept });
        await undo(second);
        assert.deepEqual([(await get(old))['superseded_by'], (await get(merged)).id], [merged, merged]);
      });

      it('may be deleted since', async () => {
        const change_id = await merge(kept, merged);
        await host.use('memory_delete_node', { node_id: old });
        await undo(change_id);
        await rejects(get(old), 'NOT_FOUND');
        assert.equal((await get(merged)).id, merged);
      });

      it('names the kept one where its own deletion is undone after the merge', async () => {
        const last = await create('last');
        const deleted = await remove(old);
        await merge(kept, merged);
        await merge(last, kept);
        await undo(deleted);
        assert.equal((await get(old))['superseded_by'], last);
      });

      it('does not supersede its successor where its predecessor was merged into that', async () => {
        const { new: last } = await supersede(merged);
        const deleted = await remove(merged);
        await merge(last.id, old);
        await undo(deleted);
        const { supersedes, superseded_by } = await get(merged);
        assert.deepEqual([supersedes, superseded_by], [null, last.id]);
      });
    });

    describe('in a row of successors', () => {
      let a: string;
      let b: string;
      let c: string;
      beforeEach(async () => {
        a = (await createNode(host, { workspace_id, title: 'a' })).id;
        b = (await supersede(a)).new.id;
        c = (await supersede(b)).new.id;
      });
      const merge = (keep: string, ...others: string[]) =>
        host.use<{ change_id: string }>('memory_merge', { ids: [keep, ...others], keep });
      const links = async (node_id: string) => {
        const node = await host.use<Made>('memory_get_node', { node_id });
        return [node['supersedes'], node['superseded_by']];
      };

      it('the last node is not merged into the first one, or none would hold', async () => {
        await rejects(merge(a, c), 'INVALID_ARGUMENT', new RegExp(c));
      });

      it('a node does not supersede the successor that its predecessor was merged into', async () => {
        const { change_id } = await merge(c, a);
        assert.deepEqual(
          [await links(b), await links(c)],
          [
            [null, c],
            [b, null],
          ],
        );
        await host.use('memory_undo', { change_id });
        assert.deepEqual(await links(b), [a, c]);
      });

      it('the id of a change that is unknown comes from an answer, not from another change', async () => {
        for (const [change_id, code] of [
          ['nonsense', 'INVALID_ARGUMENT'],
          [workspace_id, 'NOT_FOUND'],
        ] as const)
          await rejects(host.use('memory_undo', { change_id }), code, /come from the answer of memory_merge/);
      });

      it('a node supersedes what the predecessor superseded that was merged into it', async () => {
        const { change_id } = await merge(c, b);
        assert.deepEqual(
          [await links(a), await links(c)],
          [
            [null, c],
            [a, null],
          ],
        );
        await host.use('memory_undo', { change_id });
        assert.deepEqual(await links(c), [b, null]);
      });

      it('a node supersedes nothing after all its predecessors were merged into it', async () => {
        await merge(c, a, b);
        assert.deepEqual(await links(c), [null, null]);
      });

      it('a node of an import is not its own successor or predecessor', async () => {
        const node = { record: 'node', node_type: 'fact', title: 'd', content: 'own', id: 'd' };
        const lines = ['supersedes', 'superseded_by'].map((field) => ({ ...node, [field]: 'd' }));
        const { imported, errors } = await importLines(host, { workspace_id }, lines);
        assert.equal(imported, 0);
        assert.deepEqual(
          errors.map(({ message }) => message),
          ['supersedes: must be another node', 'superseded_by: must be another node'],
        );
      });
    });
  });
});
