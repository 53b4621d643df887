import assert from 'node:assert/strict';
import { eachDatabase } from '@service-mcp/core/testing';
import { startService, type ServiceProcess } from '../../service-process.js';
import { allPages, assertEachOnce, checkedVersions, type StoredEvent, type StoredNode } from './ledger.js';

const WRITERS = 16;
const ROUNDS = 25;
const SHARED_NODES = 4;

const isConflict = (error: unknown) => error instanceof Error && error.message.startsWith('CONFLICT');

eachDatabase((fresh) => {
  describe(`${WRITERS} writers through two processes`, () => {
    const services: ServiceProcess[] = [];
    let workspace_id: string;
    const service = (at: number) => services[at % 2] as ServiceProcess; // two of them

    beforeEach(async () => {
      const { dataDir, env } = await fresh();
      services.push(await startService(dataDir, env));
      services.push(await startService(dataDir, env));
      workspace_id = (await service(0).call<{ id: string }>('workspaces_create', { name: 'w' })).id;
    });
    afterEach(() => Promise.all(services.splice(0).map((each) => each.end())));

    const inParallel = <T>(write: (writer: number) => Promise<T>) =>
      Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    it('store each acknowledged event once, though each is sent through both with one key', async () => {
      const written: string[] = [];
      await inParallel(async (writer) => {
        for (let round = 0; round < ROUNDS; round++) {
          const title = `event ${writer} of round ${round}`;
          const args = { workspace_id, event_type: 'note', title, content: `${title} holds` };
          const headers = { 'idempotency-key': title.replaceAll(' ', '-') };
          const both = await Promise.all(
            services.map((each) => each.call<StoredEvent>('memory_create_event', args, { headers })),
          );
          const again = await service(round).call<StoredEvent>('memory_create_event', args, { headers });
          assert.deepEqual(new Set([...both, again].map(({ id }) => id)).size, 1);
          written.push(title);
        }
      });
      for (const each of services) {
        const stored = await allPages<StoredEvent>(each, 'memory_list_events', { workspace_id });
        assertEachOnce(
          stored.map(({ title }) => title),
          written,
          new Set(written),
        );
      }
    });

    it('keep one version of each acknowledged change of a node, without gaps', async () => {
      const nodes = await Promise.all(
        Array.from({ length: SHARED_NODES }, (_, n) =>
          service(n).call<StoredNode>('memory_create_node', {
            workspace_id,
            node_type: 'fact',
            title: `node ${n}`,
            content: 'initial',
          }),
        ),
      );
      const written = nodes.map(() => ['initial']);
      await inParallel(async (writer) => {
        for (let round = 0; round < ROUNDS; round++) {
          const at = (writer + round) % SHARED_NODES;
          const content = `changed by ${writer} in round ${round}`;
          const changed = await service(writer).call<StoredNode>('memory_update_node', {
            node_id: nodes[at]?.id,
            content,
          });
          assert.equal(changed.content, content, 'an answer shows the change of another writer');
          written[at]?.push(content);
        }
      });
      for (const [at, { id }] of nodes.entries()) {
        const versions = await checkedVersions(service(at), id);
        const contents = versions.map(({ node }) => node.content);
        assertEachOnce(contents, written[at] ?? [], new Set(written[at]));
      }
    });

    it('supersede a node once, whoever is first, and line up its successors', async () => {
      const first = await service(0).call<StoredNode>('memory_create_node', {
        workspace_id,
        node_type: 'decision',
        title: 'decision',
        content: 'the first one',
      });
      let current = first.id;
      let conflicts = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const outcomes = await inParallel((writer) =>
          service(writer)
            .call<{ new: StoredNode }>('memory_supersede_node', {
              node_id: current,
              title: 'decision',
              content: `${writer} in round ${round}`,
            })
            .catch((error: unknown) => {
              if (!isConflict(error)) throw error;
              conflicts++;
              return undefined;
            }),
        );
        const winners = outcomes.flatMap((outcome) => outcome?.new ?? []);
        assert.equal(winners.length, 1);
        current = winners[0]?.id ?? '';
      }
      assert.equal(conflicts, ROUNDS * (WRITERS - 1));
      const chain: string[] = [];
      for (let id: string | null = first.id; id !== null;) {
        chain.push(id);
        id = (await service(1).call<StoredNode>('memory_get_node', { node_id: id })).superseded_by;
      }
      assert.equal(chain.at(-1), current);
      const stored = await allPages<StoredNode>(service(0), 'memory_list_nodes', { workspace_id });
      assert.deepEqual(stored.map(({ id }) => id).sort(), chain.toSorted(), 'a node stands outside the line');
    });

    it('store one of many events that say the same, where duplicates merge', async () => {
      const say = (writer: number, round: number) => {
        const content = `The deployment of service number ${round} runs in the harbour region since spring`;
        const args = { workspace_id, event_type: 'note', title: 'harbour', content, on_duplicate: 'merge' };
        return service(writer).call<StoredEvent>('memory_create_event', { ...args, tags: [`by-${writer}`] });
      };
      for (let round = 0; round < 5; round++) {
        const outcomes = await inParallel((writer) => say(writer, round));
        assert.equal(new Set(outcomes.map(({ id }) => id)).size, 1);
        const event = await service(1).call<{ tags: string[] }>('memory_get_event', {
          event_id: outcomes[0]?.id,
        });
        assert.equal(event.tags.length, WRITERS, 'a merge lost the tag of another one');
      }
    });
  });
});
