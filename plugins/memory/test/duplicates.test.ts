import assert from 'node:assert/strict';
import { eachDatabase, rejects, type TestHost } from '@service-mcp/core/testing';
import { findExactCopies } from '#memory/migrations/014-find-exact-copies.js';
import { findParaphrases } from '#memory/migrations/015-find-paraphrases.js';
import { createNode, inNewWorkspaces, storeEvent } from './start-memory.js';
import { importLines } from './transfer.js';

eachDatabase((fresh, engine) => {
  describe('what repeats other records', () => {
    let host: TestHost;
    let workspace_id: string;
    inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made), { workers: false });

    const shard = (n: number) => ({
      title: `Ran the tests of shard ${n}`,
      content: `Ran the tests of shard ${n} of the billing service: all of them passed without a fault.`,
    });
    const importShards = (count: number) =>
      importLines(
        host,
        { workspace_id },
        Array.from({ length: count }, (_, n) => ({
          record: 'event',
          id: `e${n}`,
          event_type: 'note',
          ...shard(n),
        })),
      );
    const isRefused = (n: number) =>
      rejects(storeEvent(host, { workspace_id, ...shard(n), on_duplicate: 'reject' }), 'CONFLICT');

    it('finds an exact copy behind hundreds of newer records of one pattern', async () => {
      await importShards(400);
      for (let n = 0; n < 10; n++) await isRefused(n);
    });

    it('takes a node that holds after another one for a change, not a contradiction', async () => {
      const limit = (perMinute: number, more: object) =>
        createNode(host, {
          workspace_id,
          title: 'Rate limit',
          content: `Each tenant may send ${perMinute} requests a minute to the gateway.`,
          ...more,
        });
      const change = '2999-01-01T00:00:00.000Z';
      const now = await limit(100, { valid_to: change });
      assert.deepEqual((await limit(200, { valid_from: change }))['contradictions'], []);
      const before = await limit(50, { valid_from: '2020-01-01', valid_to: now['valid_from'] });
      assert.deepEqual(before['contradictions'], []);
      const { counts } = await host.use<{ counts: { contradiction: number } }>('memory_hygiene', {
        workspace_id,
      });
      assert.equal(counts.contradiction, 0);
      const both = await limit(300, {});
      assert.equal((both['contradictions'] as unknown[]).length, 2);
    });

    it('merges no node whose validity or status its twin does not have', async () => {
      const again = (more: object = {}) =>
        createNode(host, {
          workspace_id,
          title: 'Gateway',
          content: 'It is up.',
          on_duplicate: 'merge',
          ...more,
        });
      const { id } = await again({ valid_from: '2025-01-01' });
      for (const more of [{ valid_to: '2999-01-01' }, { valid_from: '2024-01-01' }, { status: 'verified' }]) {
        const kept = await again(more);
        assert.notEqual(kept.id, id, JSON.stringify(more));
        assert.equal(kept.duplicates[0]?.id, id);
        await host.use('memory_delete_node', { node_id: kept.id });
      }
      await host.use('memory_set_node_status', { node_id: id, status: 'verified' });
      assert.equal((await again()).id, id);
      assert.equal((await again({ status: 'verified', valid_from: '2999-01-01' })).id, id);
    });

    it('merges an event into one of its session, which becomes as important', async () => {
      const again = (more: object = {}) =>
        storeEvent(host, { workspace_id, title: 'Deploy failed', on_duplicate: 'merge', ...more });
      const first = await again({ session_id: 's-1' });
      const second = await again({ session_id: 's-2' });
      assert.notEqual(second.id, first.id);
      const merged = await again({ session_id: 's-2', importance: 'critical' });
      assert.deepEqual([merged.id, merged['importance']], [second.id, 'critical']);
      const lower = await again({ session_id: 's-2', importance: 'low' });
      assert.deepEqual([lower.id, lower['importance']], [second.id, 'critical']);
      assert.equal((await again()).id, first.id);
    });

    it('finds what says the same in other words, and takes nothing for it that may say something else', async () => {
      const said = 'Use pnpm for installs, since it is faster than npm.';
      const { id } = await createNode(host, { workspace_id, title: 'Use pnpm for installs', content: said });
      const named = async (title: string, content: string) => {
        const made = await createNode(host, { workspace_id, title, content, on_duplicate: 'keep' });
        await host.use('memory_delete_node', { node_id: made.id });
        return { same: made.duplicates.map((each) => each.id), against: made['contradictions'] };
      };
      for (const again of ['We use pnpm to install', 'We are using pnpm for the install'])
        assert.deepEqual((await named(again, `${again}, since it's faster than npm.`)).same, [id], again);
      for (const other of [
        'Use npm for installs, since it is faster than pnpm.',
        'Use pnpm for installs, since it is smaller than npm.',
        'Use pnpm after installs, since it is faster than npm.',
        'Use pnpm 9 for installs, since it is faster than npm.',
        'Use pnpm for installs of tests, since it is faster than npm.',
        'You use pnpm for installs, since it is faster than npm.',
        'Use pnpm for IT installs, since it is faster than npm.',
      ])
        assert.deepEqual((await named('Use pnpm for an install', other)).same, [], other);
      const { same, against } = await named(
        'pnpm',
        'We do not use pnpm to install, since it is not faster than npm.',
      );
      assert.deepEqual(same, []);
      assert.deepEqual(against, []);
    });

    it('takes no text for another one whose roles, names, times or numbers are others', async () => {
      for (const [title, one, other] of [
        ['Billing', 'Ann was replaced by Bob as owner of billing.', 'Ann replaced Bob as owner of billing.'],
        ['Tabs and spaces', 'Prefer tabs over spaces here.', 'Prefer spaces over tabs here.'],
        ['Review', 'Alice reviews the code of Bob.', 'Bob reviews the code of Alice.'],
        ['Pool of 5 and 10', 'Readers get 5, writers 10.', 'Readers get 10, writers 5.'],
        ['Wheel 1', 'It is turned by gear22.', 'It is turned by gear2.'],
        ['Owner', 'Ann was the owner of billing.', 'Ann is the owner of billing.'],
        ['Standup', 'The standup is at 9:30 AM in Berlin.', 'The standup is at 9:30 PM in Berlin.'],
        ['Rollout', 'Cluster A gets the nightly rollout.', 'Cluster I gets the nightly rollout.'],
        ['Laptops', 'The IT department orders laptops.', 'The US department orders laptops.'],
        ['Fields', 'Custom fields are stored in billing.', 'Customer fields are stored in billing.'],
        ['Calls', 'Internal calls are free of charge.', 'International calls are free of charge.'],
        ['Password', 'Rotate the password each Monday.', 'Rotate the staging password each Monday.'],
        ['Pnpm', 'Usamos pnpm para instalar pacotes.', 'Não usamos pnpm para instalar pacotes.'],
      ] as const) {
        for (const content of [one, other]) {
          const made = await storeEvent(host, { workspace_id, title, content, on_duplicate: 'merge' });
          assert.deepEqual(made.duplicates, [], content);
        }
      }
    });

    it('names what says the same in other words, and merges into a copy alone', async () => {
      const stored = (content: string) =>
        storeEvent(host, { workspace_id, title: 'Backups', content, on_duplicate: 'merge' });
      const first = await stored('The backups are kept for a month on the second host.');
      const again = await stored('Backups are kept a month on a second host.');
      assert.notEqual(again.id, first.id);
      assert.deepEqual(
        again.duplicates.map((each) => each.id),
        [first.id],
      );
      assert.equal((await stored('Backups are kept a month on a second host.')).id, again.id);
    });

    it('finds what says the same in other words of records from before these had bands of their own', async () => {
      const event = (content: string) => storeEvent(host, { workspace_id, title: 'Deploy', content });
      const { id } = await event('The deploy of the billing service was rolled back by Ann.');
      await host.database.transaction(async (sql) => {
        await sql('memory_bands').delete();
        await findParaphrases.up(sql, engine);
      });
      const again = await event('Ann');
      assert.deepEqual(again.duplicates, []);
      const twin = await event('A deploy of the billing services was rolled back by Ann');
      assert.deepEqual(
        twin.duplicates.map((each) => each.id),
        [id],
      );
    });

    it('finds an exact copy that was stored before copies had bands of their own', async () => {
      await importShards(1);
      await host.database.transaction(async (sql) => {
        await sql('memory_bands').delete();
        await findExactCopies.up(sql, engine);
      });
      await isRefused(0);
    });
  });
});
