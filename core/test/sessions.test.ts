import assert from 'node:assert/strict';
import { defineTransport, type ServiceError } from '@service-mcp/core';
import type { Seal, Sessions } from '@service-mcp/core/wire';
import { callerWith, eachDatabase, testHost, type TestDatabase } from '@service-mcp/core/testing';

const start = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} } };
const unknown = (error: ServiceError) => error.code === 'UNKNOWN_SESSION';

/** A host, and the parts that its transports get. */
async function hostOver(database: TestDatabase, config: object = {}) {
  let given: { sessions: Sessions; seal: Seal } | undefined;
  const spy = defineTransport({
    id: 'spy',
    description: 'Takes what transports get.',
    api: '^1',
    mount: ({ sessions, seal }) => {
      given = { sessions, seal };
    },
  });
  const host = await testHost({ database, transports: [spy], config: { sessions: config }, workers: false });
  if (!given) throw new Error('the transport was not mounted');
  return { host, ...given };
}

eachDatabase((fresh, engine) => {
  describe('MCP sessions', () => {
    const ann = callerWith({ credentialId: 'k1' });

    it('outlive the process, and belong to one credential', async () => {
      const database = await fresh();
      const first = await hostOver(database);
      const { id } = await first.sessions.open(ann, start);
      await first.sessions.change(id, ann, () => ({ logLevel: 'warning', subscriptions: ['service://a'] }));
      await first.host.stop();
      const { host, sessions } = await hostOver(database);
      assert.deepEqual(await sessions.get(id, ann), {
        ...start,
        id,
        logLevel: 'warning',
        subscriptions: ['service://a'],
        lists: sessions.lists,
      });
      const others = [callerWith(), { ...ann, credentialId: 'k2' }, { ...ann, kind: 'session' as const }];
      for (const other of others) {
        await assert.rejects(sessions.get(id, other), unknown);
        await assert.rejects(
          sessions.change(id, other, () => ({ logLevel: 'debug' })),
          unknown,
        );
        await assert.rejects(sessions.close(id, other), unknown);
      }
      await sessions.close(id, ann);
      await assert.rejects(sessions.get(id, ann), unknown);
      await assert.rejects(sessions.get('no such id', ann), unknown);
      await host.stop();
    });

    it('end when idle, and use keeps them', async () => {
      const database = await fresh();
      const { host, sessions } = await hostOver(database, { idle_minutes: 10 });
      const [used, idle] = [await sessions.open(ann, start), await sessions.open(ann, start)];
      const age = (id: string, minutes: number) =>
        host.database
          .sql('mcp_sessions')
          .where({ id })
          .update({ used_at: Date.now() - minutes * 60_000 });
      await age(used.id, 9);
      await age(idle.id, 11);
      await sessions.get(used.id, ann);
      await assert.rejects(sessions.get(idle.id, ann), unknown);
      assert.equal(await sessions.count(), 1);
      const row = (await host.database.sql('mcp_sessions').where({ id: used.id }).first('used_at')) as {
        used_at: number | string;
      };
      assert.ok(Date.now() - Number(row.used_at) < 60_000, 'the use was noted');
      await host.stop();
    });

    it('of one credential are bounded; the longest idle give way', async () => {
      const { host, sessions } = await hostOver(await fresh(), { per_credential: 3 });
      const bob = callerWith();
      const other = await sessions.open(bob, start);
      const opened = [];
      for (let n = 0; n < 6; n += 1) {
        opened.push((await sessions.open(ann, start)).id);
        await new Promise((resolve) => setTimeout(resolve, 2)); // another millisecond
      }
      for (const id of opened.slice(0, 3)) await assert.rejects(sessions.get(id, ann), unknown);
      for (const id of opened.slice(3)) await sessions.get(id, ann);
      await sessions.get(other.id, bob);
      await host.stop();
    });

    it('of one credential that open in the same moment leave one another alone up to the bound', async () => {
      const { host, sessions } = await hostOver(await fresh(), { per_credential: 1 });
      await Promise.all(Array.from({ length: 20 }, () => sessions.open(ann, start)));
      assert.equal(await sessions.count(), 1);
      await host.stop();
    });

    it('lose no change of several at once', async () => {
      const { host, sessions } = await hostOver(await fresh());
      const { id } = await sessions.open(ann, start);
      const uris = Array.from({ length: 20 }, (_, n) => `service://${n}`);
      await Promise.all(
        uris.map((uri) =>
          sessions.change(id, ann, ({ subscriptions }) => ({ subscriptions: [...subscriptions, uri] })),
        ),
      );
      assert.deepEqual((await sessions.get(id, ann)).subscriptions.toSorted(), uris.toSorted());
      await host.stop();
    });

    it('share a seal that opens on every replica, for its own purpose alone', async () => {
      const database = await fresh();
      const [one, two] = [await hostOver(database), await hostOver(database)];
      const sealed = one.seal.seal('step 2', 'ann things_do');
      assert.equal(two.seal.open(sealed, 'ann things_do'), 'step 2');
      assert.equal(two.seal.open(sealed, 'bob things_do'), undefined);
      assert.equal(
        two.seal.open(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, 'ann things_do'),
        undefined,
      );
      for (const junk of ['', 'x', '💥', 'A'.repeat(500)]) assert.equal(two.seal.open(junk, 'a'), undefined);
      const other = await hostOver(await fresh());
      assert.equal(other.seal.open(sealed, 'ann things_do'), undefined, `another ${engine} deployment`);
      for (const { host } of [one, two, other]) await host.stop();
    });
  });
});
