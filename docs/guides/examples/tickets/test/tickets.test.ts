import assert from 'node:assert/strict';
import { eachDatabase, rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import search from '@service-mcp/plugin-search';
import tickets from 'service-mcp-plugin-tickets';
import syntax from '@service-mcp/plugin-syntax';
import workspaces from '@service-mcp/plugin-workspaces';

interface Ticket {
  readonly id: string;
  readonly state: string;
  readonly indexing_status: string;
}

describe('tickets', () => {
  eachDatabase((fresh) => {
    let host: TestHost;
    let workspace: { readonly id: string };
    before(async () => {
      host = await testHost({
        plugins: [workspaces, syntax, search, tickets],
        config: { tickets: { stale_after_seconds: 1 } },
        database: await fresh(),
      });
      workspace = await host.use('workspaces_create', { name: 'Team' });
    });
    after(() => host.stop());

    const list = async (state: string) =>
      (await host.use<{ items: Ticket[] }>('tickets_list', { state })).items.map(({ id }) => id);

    it('opens, lists and closes', async () => {
      const { id } = await host.use<Ticket>('tickets_create', { title: 'The lamp flickers' });
      assert.deepEqual(await list('open'), [id]);
      assert.equal((await host.use<Ticket>('tickets_close', { ticket_id: id })).state, 'closed');
      assert.deepEqual(await list('open'), []);
      await host.use('tickets_close', { ticket_id: id });
      const events = (await host.database.sql('change_events').where({ type: 'ticket.closed' })) as object[];
      assert.equal(events.length, 1, 'closing it again changes nothing');
    });

    it('lets a viewer list and not close', async () => {
      const { id } = await host.use<Ticket>('tickets_create', { title: 'The bell is mute' });
      const viewer = await host.member(workspace.id, 'viewer');
      const { items } = await host.use<{ items: Ticket[] }>('tickets_list', {}, { as: viewer });
      assert.ok(items.some((ticket) => ticket.id === id));
      await rejects(
        host.use('tickets_close', { ticket_id: id }, { as: viewer }),
        'PERMISSION_DENIED',
        /viewer/,
      );
      await host.use('tickets_close', { ticket_id: id });
    });

    it('marks as stale what nobody changed, and records it', async () => {
      const { id } = await host.use<Ticket>('tickets_create', { title: 'The door creaks' });
      while ((await list('stale')).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.deepEqual(await list('stale'), [id]);
      const rows = (await host.database.sql('change_events').where({ type: 'ticket.stale' })) as object[];
      assert.equal(rows.length, 1);
    });
  });
});
