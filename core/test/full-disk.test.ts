import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database, Deployment, type Tool } from '@service-mcp/core';
import { rejects, testHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

/** A host whose tool writes to a disk that is full until the reserve beside the database is given up. */
async function fullHost(effect: Tool['effect']) {
  let attempts = 0;
  const write: Tool = {
    ...echo({ effect }),
    uses: { database: Database, deployment: Deployment },
    async handler(input, deps) {
      const { database, deployment } = deps as { database: Database; deployment: Deployment };
      attempts += 1;
      if (!existsSync(reserveOf(deployment))) await database.sql.raw('PRAGMA max_page_count = 1000000');
      await database.sql('notes').insert({ text: 'x'.repeat(100_000) });
      return input;
    },
  };
  const host = await testHost({ plugins: [demo([write])], workers: false });
  const { sql } = host.database;
  await writeFile(reserveOf(host.deployment), 'room');
  await sql.raw('CREATE TABLE notes (text TEXT)');
  const [{ page_count: pages }] = (await sql.raw('PRAGMA page_count')) as [{ page_count: number }];
  await sql.raw(`PRAGMA max_page_count = ${pages}`);
  return { host, attempts: () => attempts };
}

const reserveOf = ({ dataDir }: Deployment) => join(dataDir, 'service.db.reserve');

describe('a call that meets a full disk', () => {
  it('and deletes gives up the reserve, and is made once more', async () => {
    const { host, attempts } = await fullHost('delete');
    try {
      await host.use('demo_echo');
      assert.equal(attempts(), 2);
      assert.equal(existsSync(reserveOf(host.deployment)), false);
    } finally {
      await host.stop();
    }
  });

  it('and adds fails, and leaves the reserve', async () => {
    const { host, attempts } = await fullHost('create');
    try {
      await rejects(host.use('demo_echo'), 'UNAVAILABLE', /disk of the database is full/);
      assert.equal(attempts(), 1);
      assert.equal(existsSync(reserveOf(host.deployment)), true);
    } finally {
      await host.stop();
    }
  });
});
