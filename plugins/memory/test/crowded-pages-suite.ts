import assert from 'node:assert/strict';
import { onDatabase, type TestHost, type TestDatabase } from '@service-mcp/core/testing';
import { indexed, inNewWorkspaces, storeEvent } from './start-memory.js';

interface Found {
  readonly results: ReadonlyArray<{ readonly title: string; readonly score: number }>;
  readonly total: number;
}

/** Which results fill a page, on one engine. PostgreSQL runs with the long tests. */
export function crowdedPagesSuite(engine: TestDatabase['engine']): void {
  onDatabase(engine, (fresh) => {
    describe('a page of results of memory', () => {
      let host: TestHost;
      let workspace_id: string;
      inNewWorkspaces(fresh, (...made) => ([host, workspace_id] = made));

      const store = (title: string, content = title) => storeEvent(host, { workspace_id, title, content });
      const find = async (query: string, more: object = {}) => {
        await indexed(host, workspace_id);
        return host.use<Found>('memory_search', { workspace_id, query, ...more });
      };
      const titles = async (query: string, more: object = {}) =>
        (await find(query, more)).results.map(({ title }) => title);

      it('has places for a name beside a phrase that many records have', async () => {
        for (let day = 0; day < 15; day++)
          await store(`The billing service got ${day} new tests of the billing service`);
        const named = ['Kenji is on leave until March', 'Write to Kenji on Slack', 'Kenji learns to sail'];
        const rest =
          'Nothing else was said at the table that day, as the rain on the roof was too loud for talk. ';
        for (const title of named) await store(title, `${title}. ${rest.repeat(4)}`);
        for (let day = 0; day < 8; day++)
          await store(`Day ${day} at the sea`, `Kenji was there. ${rest.repeat(8)}`);
        const found = await titles('Kenji and the billing service');
        assert.equal(found.length, 10);
        assert.deepEqual(
          named.filter((title) => !found.includes(title)),
          [],
        );
        const { results } = await find('Kenji and the billing service');
        const scores = results.map(({ score }) => score);
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
        );
      });

      it('has each text once before others that say something else', async () => {
        const repeated = 'Ran the tests of the billing service: all of them passed';
        for (let run = 0; run < 12; run++) await store(repeated);
        const others = [
          'The tests of the billing service fail at midnight',
          'The billing service has tests of its own database',
          'Run the tests of the billing service before a release',
          'The tests of the billing service passed after 3 attempts',
        ];
        for (const title of others) await store(title);
        const found = await titles('did the tests of the billing service pass');
        assert.equal(found.length, 10);
        assert.deepEqual(
          found.slice(0, 5).toSorted(),
          [repeated, ...others].toSorted(),
          JSON.stringify(found, null, 1),
        );
        assert.deepEqual(new Set(found.slice(5)), new Set([repeated]));
      });

      it('leaves out what is far below the best result', async () => {
        const topics = [
          'invoices',
          'logins',
          'backups',
          'translations',
          'printers',
          'lunches',
          'plants',
          'fonts',
        ];
        for (const topic of topics)
          for (const person of ['Maria', 'Tomasz', 'Priya', 'Kenji'])
            await store(`${person} looks after the ${topic} of the customers in the office this week`);
        await store('The contact of the customers at Hansa is Frau Petersen');
        const contact = await find('Who is Frau Petersen?', { limit: 50 });
        assert.deepEqual(
          contact.results.map(({ title }) => title),
          ['The contact of the customers at Hansa is Frau Petersen'],
        );
        assert.equal(contact.total, 1);
        assert.equal((await titles('invoices of the customers', { limit: 50 })).length, 4);
      });
    });
  });
}
