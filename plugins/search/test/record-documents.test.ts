import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Events,
  WORK_PENDING,
  createRecordTable,
  definePlugin,
  uuidv7,
  type WorkRow,
} from '@service-mcp/core';
import { eachDatabase, probe } from '@service-mcp/core/testing';
import { indexRecords } from '@service-mcp/plugin-search/contract';
import { AT_REST, site, type Site } from './harness.js';

type Stamp = WorkRow & { readonly updated_at: string; readonly title: string };

/** What untyped plugins may make of titles. */
const unusable = new Map<string, object>([
  ['pathless', { path: null }],
  ['tagless', { tags: null }],
  ['counted', { tags: [5n] }],
  ['standing', { standing: 1 }],
]);

/** Titles that the plugin makes no document of. */
const failing = new Set<string>();

const stamps = definePlugin({
  id: 'stamps',
  description: 'Stamps.',
  api: '^1',
  migrations: [
    {
      id: '001_create_stamps',
      up: (sql) => createRecordTable(sql, 'stamps', (table) => void table.text('title').notNullable()),
    },
  ],
  services: [
    indexRecords<Stamp>({
      kind: 'stamp',
      table: 'stamps',
      document({ title }) {
        if (failing.has(title)) throw new Error('a title that this plugin cannot read');
        return { title, text: `${title} with a watermark`, ...unusable.get(title) };
      },
    }),
  ],
});

eachDatabase((fresh) => {
  describe('records that their plugin makes no document of', () => {
    const found = probe({ events: Events });
    let here: Site;
    before(async () => {
      failing.clear();
      const plugins = [stamps, found.plugin];
      here = await site({ database: await fresh(), config: AT_REST, plugins });
    });
    after(() => here.stop());

    const sql = () => here.host.database.sql('stamps');
    async function add(title: string) {
      const time = new Date().toISOString();
      const row = { id: uuidv7(), workspace_id: here.workspaceId, created_at: time, updated_at: time, title };
      await sql().insert(row);
      found.services().events.wake(WORK_PENDING);
      return row.id;
    }
    const stored = async (id: string) => (await sql().where({ id }).first()) as Stamp;
    const titles = async (mode: string, query: string) => {
      const { results } = await here.search(mode, { query, filters: { kinds: ['stamp'] } });
      return results.map((result) => result.title).sort();
    };

    it('are noted as failed, and hold up none of the others', async () => {
      failing.add('torn');
      const [torn, blue] = [await add('torn'), await add('blue')];
      while ((await stored(blue)).indexing_status !== 'indexed') await delay(20);
      while ((await stored(torn)).indexing_error === null) await delay(20);
      const { indexing_error, attempts } = await stored(torn);
      assert.match(indexing_error ?? '', /made no document of it/);
      assert.ok(attempts >= 1);
      for (const mode of ['keyword', 'pattern']) assert.deepEqual(await titles(mode, 'watermark'), ['blue']);
    });

    it('are those with an unusable path, tag or standing too', async () => {
      const ids = await Promise.all([...unusable.keys()].map(add));
      const red = await add('red');
      while ((await stored(red)).indexing_status !== 'indexed') await delay(20);
      for (const id of ids) while ((await stored(id)).indexing_error === null) await delay(20);
      for (const mode of ['keyword', 'pattern'])
        assert.deepEqual(await titles(mode, 'watermark'), ['blue', 'red']);
      for (const id of [...ids, red]) await sql().where({ id }).delete();
    });

    it('that were indexed before leave the results alone', async () => {
      const green = await add('green');
      while ((await stored(green)).indexing_status !== 'indexed') await delay(20);
      assert.deepEqual(await titles('keyword', 'watermark'), ['blue', 'green']);
      failing.add('green');
      for (const mode of ['keyword', 'pattern']) assert.deepEqual(await titles(mode, 'watermark'), ['blue']);
      const asked = { query: 'watermark', filters: { kinds: ['stamp'] }, limit: 1 };
      const { total, has_more } = await here.search('keyword', asked);
      assert.deepEqual([total, has_more], [1, false]);
      failing.delete('green');
      await sql().where({ id: green }).increment('revision', 1);
      assert.deepEqual(await titles('keyword', 'watermark'), ['blue', 'green'], 'once it was changed');
    });
  });
});
