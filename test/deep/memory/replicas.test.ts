import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { freshDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import {
  allPages,
  assertEachOnce,
  checkedVersions,
  type StoredEvent,
  type StoredNode,
  type TimelineEntry,
} from './ledger.js';
import { readStream, type ToldEvent } from './stream-reader.js';

const SECONDS = Number(process.env['MEMORY_REPLICA_SECONDS'] ?? 15);
const PAUSE_MS = 10;
const STREAM_TIMEOUT_MS = 30_000;

/** What one agent had acknowledged, in order. */
interface Acknowledged {
  readonly events: string[];
  readonly nodes: string[];
  /** Ids of its events that it changed. */
  readonly changed: string[];
  /** The contents that it gave the shared node. */
  readonly contents: string[];
}

interface TimelinePage {
  readonly items: readonly TimelineEntry[];
  readonly total: number;
  readonly buckets: ReadonlyArray<{ readonly count: number }>;
}

/** An agent that writes all the time through one replica. */
async function writeAs(
  service: ServiceProcess,
  name: string,
  { workspace_id, shared }: { readonly workspace_id: string; readonly shared: string },
  signal: AbortSignal,
): Promise<Acknowledged> {
  const written: Acknowledged = { events: [], nodes: [], changed: [], contents: [] };
  for (let n = 0; !signal.aborted; n++) {
    const title = `${name} ${n}`;
    const content = `${title} happened`;
    if (n % 5 === 3) {
      await service.call('memory_update_node', { node_id: shared, content });
      written.contents.push(content);
    } else if (n % 5 === 4) {
      const args = { workspace_id, node_type: 'fact', title, content };
      written.nodes.push((await service.call<StoredNode>('memory_create_node', args)).id);
    } else if (n % 5 === 2) {
      const event_id = written.events.at(-1) ?? '';
      await service.call('memory_update_event', { event_id, content });
      written.changed.push(event_id);
    } else {
      const args = { workspace_id, event_type: 'note', title, content, session_id: name };
      written.events.push((await service.call<StoredEvent>('memory_create_event', args)).id);
    }
    await delay(PAUSE_MS);
  }
  return written;
}

/** Reads the newest page of the timeline through both replicas in turn, all the time. */
async function watchTimeline(
  services: readonly ServiceProcess[],
  workspace_id: string,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  let looks = 0;
  for (; !signal.aborted; looks++) {
    const service = services[looks % 2] as ServiceProcess; // two of them
    const page = await service.call<TimelinePage>('memory_timeline', { workspace_id, per_page: 50 });
    assertNewestFirst(page.items);
    assert.ok(page.total >= total, 'the timeline counts fewer entries than before');
    total = page.total;
    await delay(10 * PAUSE_MS);
  }
  return looks;
}

function assertNewestFirst(entries: readonly TimelineEntry[]): void {
  const places = entries.map(({ occurred_at, id }) => `${occurred_at} ${id}`);
  assert.deepEqual(places, places.toSorted().reverse(), 'the timeline is out of order');
}

const ofType = (told: readonly ToldEvent[], type: string) =>
  told.flatMap((event) => (event.type === type ? [event.id] : []));

describe(`two agents write through two replicas for ${SECONDS} s while a third reads`, function () {
  this.timeout(SECONDS * 1000 + 300_000);
  let database: TestDatabase;
  const services: ServiceProcess[] = [];
  before(async () => {
    database = await freshDatabase('postgresql');
    for (let replica = 0; replica < 2; replica++)
      services.push(await startService(database.dataDir, database.env));
  });
  after(async () => {
    for (const service of services) await service.end();
    await database.drop();
  });

  it('order, counts and versions agree at the end', async () => {
    const [first, second] = services as [ServiceProcess, ServiceProcess];
    const { id: workspace_id } = await first.call<{ id: string }>('workspaces_create', { name: 'w' });
    const { id: shared } = await first.call<StoredNode>('memory_create_node', {
      workspace_id,
      node_type: 'fact',
      title: 'shared',
      content: 'initial',
    });
    const streams = await Promise.all(services.map(({ url }) => readStream(url, workspace_id)));
    const enough = AbortSignal.timeout(SECONDS * 1000);
    const [ann, ben, looks] = await Promise.all([
      writeAs(first, 'Ann', { workspace_id, shared }, enough),
      writeAs(second, 'Ben', { workspace_id, shared }, enough),
      watchTimeline(services, workspace_id, enough),
    ]);
    const agents = [ann, ben];
    const all = (key: keyof Acknowledged) => agents.flatMap((agent) => agent[key]);
    assert.ok(looks > 0 && agents.every(({ contents }) => contents.length > 0), 'an agent was starved');

    const versions = await checkedVersions(second, shared);
    const contents = versions.map(({ node }) => node.content);
    assertEachOnce(contents, all('contents'), new Set(['initial', ...all('contents')]));
    for (const agent of agents)
      assert.deepEqual(
        contents.filter((content) => agent.contents.includes(content)),
        agent.contents,
        'the versions have the changes of an agent in another order than it made them',
      );

    const timeline = await allPages<TimelineEntry>(first, 'memory_timeline', { workspace_id });
    assertNewestFirst(timeline);
    const records = [shared, ...all('events'), ...all('nodes')];
    assertEachOnce(
      timeline.map(({ id }) => id),
      records,
      new Set(records),
    );
    for (const agent of agents) {
      const own = new Set(agent.events);
      const shown = timeline.flatMap(({ id }) => (own.has(id) ? [id] : [])).reverse();
      assert.deepEqual(shown, agent.events, 'the timeline has the events of an agent in another order');
    }
    for (const granularity of ['day', 'week', 'month']) {
      const { buckets } = await second.call<TimelinePage>('memory_timeline', { workspace_id, granularity });
      assert.equal(
        buckets.reduce((sum, { count }) => sum + count, 0),
        records.length,
      );
    }
    const facets = await first.call<{ event_types: unknown }>('memory_facets', {
      workspace_id,
    });
    assert.deepEqual(facets.event_types, [{ value: 'note', count: all('events').length }]);

    const last = all('events').length + all('changed').length + all('nodes').length + all('contents').length;
    // A stream may begin a moment before it opened: with the creation of the shared node.
    const changesOf = (told: readonly ToldEvent[]) =>
      told.filter(({ type, id }) => type !== 'memory.node.created' || id !== shared);
    for (const stream of streams) {
      for (const until = Date.now() + STREAM_TIMEOUT_MS; Date.now() < until; await delay(100))
        if (changesOf(stream.told).length >= last) break;
      await stream.leave();
      const told = changesOf(stream.told);
      assert.equal(told.length, last, 'a stream told more or fewer changes than were acknowledged');
      assert.deepEqual(told, changesOf(streams[0]?.told ?? []), 'two streams disagree in their order');
      const created = ofType(told, 'memory.event.created');
      assertEachOnce(created, all('events'), new Set(all('events')));
      for (const agent of agents) {
        const own = new Set(agent.events);
        const ofAgent = (ids: readonly string[]) => ids.filter((id) => own.has(id));
        assert.deepEqual(ofAgent(created), agent.events, 'a stream has the events of an agent out of order');
        assert.deepEqual(ofAgent(ofType(told, 'memory.event.updated')), agent.changed);
      }
      assertEachOnce(ofType(told, 'memory.node.created'), all('nodes'), new Set(all('nodes')));
      const updated = ofType(told, 'memory.node.updated');
      assert.deepEqual([...new Set(updated)], [shared]);
      assert.equal(updated.length, versions.length - 1, 'the stream and the versions of a node disagree');
    }
  });
});
