import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { FAULT_LOOPS } from '../support/fault-loops.js';
import { allPages, assertEachOnce, checkedVersions, type StoredEvent, type StoredNode } from './ledger.js';

const WRITERS = 8;
const RETRY_TIMEOUT_MS = 1_000;
const INDEX_TIMEOUT_MS = 120_000;

eachDatabase((fresh) => {
  it(`memory loses and doubles no acknowledged write, killed ${FAULT_LOOPS} times while ${WRITERS} write`, async () => {
    const database = await fresh();
    const { dataDir, env } = database;
    const services = [await startService(dataDir, env), await startService(dataDir, env)];
    const service = (at: number) => services[at % 2] as ServiceProcess; // two of them
    const { id: workspace_id } = await service(0).call<{ id: string }>('workspaces_create', { name: 'w' });
    const node = await service(0).call<StoredNode>('memory_create_node', {
      workspace_id,
      node_type: 'fact',
      title: 'shared',
      content: 'initial',
    });
    const events = { sent: new Set<string>(), acknowledged: [] as string[] };
    const changes = { sent: new Set(['initial']), acknowledged: ['initial'] };
    const ending = new AbortController();

    /** Stores an event; after a kill once more with the same key, through the other process. */
    async function storeEvent(title: string, writer: number): Promise<void> {
      const args = { workspace_id, event_type: 'note', title, content: `${title} holds` };
      const headers = { 'idempotency-key': title.replaceAll(' ', '-') };
      events.sent.add(title);
      const stored =
        (await answer(service(writer).call('memory_create_event', args, { headers }))) ||
        (await answer(
          service(writer + 1).call('memory_create_event', args, {
            headers,
            signal: AbortSignal.timeout(RETRY_TIMEOUT_MS), // the key may still be its process's
          }),
        ));
      if (stored) events.acknowledged.push(title);
    }

    async function write(writer: number): Promise<void> {
      for (let n = 0; !ending.signal.aborted; n++) {
        const text = `${n} of writer ${writer}`;
        if (n % 4 === 3) {
          changes.sent.add(text);
          const args = { node_id: node.id, content: text };
          if (await answer(service(writer).call('memory_update_node', args))) changes.acknowledged.push(text);
        } else await storeEvent(text, writer);
        await delay(10);
      }
    }

    try {
      const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer));
      for (let kill = 0; kill < FAULT_LOOPS; kill++) {
        await delay(200 + Math.random() * 800);
        const at = kill % 2;
        const before = events.acknowledged.length + changes.acknowledged.length;
        await service(at).end('SIGKILL');
        services[at] = await startService(dataDir, env);
        while (events.acknowledged.length + changes.acknowledged.length === before) await delay(20);
      }
      ending.abort();
      await Promise.all(writing);
      const stored = await allPages<StoredEvent>(service(0), 'memory_list_events', { workspace_id });
      assertEachOnce(
        stored.map(({ title }) => title),
        events.acknowledged,
        events.sent,
      );
      const versions = await checkedVersions(service(1), node.id);
      assertEachOnce(
        versions.map((version) => version.node.content),
        changes.acknowledged,
        changes.sent,
      );
      await indexed(service(0), workspace_id);
      await Promise.all(services.map((each) => each.end()));
      await indexEqualsTables(database, workspace_id);
    } finally {
      await Promise.all(services.map((each) => each.end('SIGKILL')));
    }
  });
});

/** What a repeated creation is told whose first answer was lost with its process. */
const CARRIED_OUT = /^CONFLICT: .* was carried out/u;

/** Whether a call was carried out; false where its process went away or it took too long. */
async function answer(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false; // fetch failed: the process is gone
    if (error instanceof DOMException && error.name === 'TimeoutError') return false;
    if (error instanceof Error && CARRIED_OUT.test(error.message)) return true;
    throw error;
  }
}

async function indexed(service: ServiceProcess, workspace_id: string): Promise<void> {
  const until = Date.now() + INDEX_TIMEOUT_MS;
  for (let pending = 1; pending > 0; await delay(200)) {
    ({
      index: { pending },
    } = await service.call<{ index: { pending: number } }>('memory_search', {
      workspace_id,
      query: 'holds',
    }));
    assert.ok(Date.now() < until, `${pending} records wait to be indexed after two minutes`);
  }
}

/** The index holds each living record once, as it is now, and nothing else. */
async function indexEqualsTables(test: TestDatabase, workspace_id: string): Promise<void> {
  const database = await test.open();
  try {
    const { sql } = database;
    const rows: Array<{ id: string; indexing_status: string; content: string }> = [];
    for (const table of ['memory_events', 'memory_nodes'])
      rows.push(...((await sql(table).select('id', 'indexing_status', 'content')) as typeof rows));
    assert.deepEqual([...new Set(rows.map(({ indexing_status }) => indexing_status))], ['indexed']);
    const { generation } = (await sql('search_indexes').where({ workspace_id }).first()) as {
      generation: number;
    };
    const lancedb = await import('@lancedb/lancedb');
    const index = await lancedb.connect(join(test.dataDir, 'lancedb', 'w', workspace_id, `g${generation}`));
    const chunks = (await (
      await index.openTable('chunks')
    )
      .query()
      .select(['doc_id', 'text'])
      .toArray()) as Array<{
      doc_id: string;
      text: string;
    }>;
    assert.deepEqual(
      chunks.map(({ doc_id, text }) => `${doc_id} ${text}`).sort(),
      rows.map(({ id, content }) => `${id} ${content}`).sort(),
    );
  } finally {
    await database.close();
  }
}
