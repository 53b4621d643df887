import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eachDatabase, rejects, type TestDatabase, type TestHost } from '@service-mcp/core/testing';
import { indexed, newWorkspace, startMemory } from './start-memory.js';

interface Written {
  readonly id: string;
  readonly redacted?: ReadonlyArray<{ readonly field: string; readonly rule: string }>;
  readonly [field: string]: unknown;
}

async function bytesIn(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Every row of a PostgreSQL database, and every file of the data folder, as bytes. The index removes files meanwhile. */
async function everythingIn(database: TestDatabase): Promise<Buffer[]> {
  const files = await readdir(database.dataDir, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => bytesIn(join(file.parentPath, file.name))),
  );
  if (database.engine === 'sqlite') return found;
  const opened = await database.open();
  const { sql } = opened;
  const tables = (await sql('pg_tables').where({ schemaname: 'public' }).pluck('tablename')) as string[];
  for (const table of tables) {
    const rows = (await sql(`${table} as t`).select(sql.raw('t::text as row'))) as Array<{ row: string }>;
    found.push(Buffer.from(rows.map(({ row }) => row).join('\n')));
  }
  await opened.close();
  return found;
}

eachDatabase((fresh) => {
  describe('secrets in memory', () => {
    const token = ['gh', 'p_', randomBytes(18).toString('hex')].join('');
    const password = `p4ss${randomBytes(6).toString('hex')}`;
    const url = `https://keeper:${password}@harbour.test/lamps`;
    const marker = 'foghornmarker';
    const event = { event_type: 'note', title: `Deploy with ${token}`, content: `Use ${token}, ${marker}.` };
    const node = { node_type: 'fact', title: 'Access', content: `It is at ${url}, ${marker}.` };
    let database: TestDatabase;
    let host: TestHost;
    let workspace_id: string;
    before(async () => {
      database = await fresh();
      host = await startMemory(database);
      workspace_id = await newWorkspace(host);
    });
    after(() => host.stop());

    const write = (tool: string, args: object, options: object = {}) =>
      host.use<Written>(tool, { ...(tool.includes('create') && { workspace_id }), ...args }, options);
    const holdsSecret = (value: unknown) => {
      const text = JSON.stringify(value);
      return text.includes(token) || text.includes(password);
    };

    it('are taken out of every field, and the reply says so', async () => {
      const everywhere = {
        ...event,
        session_id: `session ${token}`,
        tags: ['lamp', token, token.replace('ghp', 'gho')],
        metadata: { url, deep: [{ [token]: token }], password },
        provenance: { repo: url, pr_url: `${url}/pull/1`, commit_sha: 'f337625' },
        code_refs: [{ path: `src/${token}.ts`, symbol: token }],
      };
      const idempotencyKey = 'once';
      const made = await write('memory_create_event', everywhere, { idempotencyKey });
      assert.ok(!holdsSecret(made), JSON.stringify(made));
      assert.equal(made['content'], `Use [redacted], ${marker}.`);
      assert.deepEqual(made['tags'], ['lamp', '[redacted]']);
      const fields = made.redacted?.map(({ field }) => field) ?? [];
      for (const field of ['title', 'content', 'session_id', 'tags.1', 'metadata.url', 'metadata.password'])
        assert.ok(fields.includes(field), field);
      for (const field of ['provenance.repo', 'provenance.pr_url', 'code_refs.0.path', 'code_refs.0.symbol'])
        assert.ok(fields.includes(field), field);
      assert.ok(!fields.includes('provenance.commit_sha'));
      assert.deepEqual(await write('memory_create_event', everywhere, { idempotencyKey }), made);
      const content = event.content.replace(token, token.replace('ghp', 'ghu'));
      const twin = await write('memory_create_event', { ...event, content });
      assert.deepEqual(twin['duplicates'], [{ id: made.id, similarity: 1 }], 'the stored texts are compared');
    });

    it('are taken out of every change, and of its versions', async () => {
      const { id: event_id } = await write('memory_create_event', { ...event, content: 'Nothing yet.' });
      const changed = await write('memory_update_event', { event_id, content: event.content });
      assert.deepEqual(changed.redacted, [{ field: 'content', rule: 'github' }]);
      const { id: node_id, redacted } = await write('memory_create_node', node);
      assert.deepEqual(redacted, [{ field: 'content', rule: 'url-password' }]);
      const fixed = await write('memory_update_node', { node_id, content: `${node.content} Still.` });
      const reason = `because of ${token}`;
      const verified = await write('memory_set_node_status', { node_id, status: 'verified', reason });
      const successor = { node_id, title: 'New', content: node.content, reason };
      const superseded = await write('memory_supersede_node', successor);
      for (const each of [changed, fixed, verified, superseded]) {
        assert.ok((each.redacted?.length ?? 0) > 0);
        assert.ok(!holdsSecret(each), JSON.stringify(each));
      }
      const history = await host.use('memory_node_history', { node_id });
      assert.match(JSON.stringify(history), /because of \[redacted\]/);
      assert.ok(!holdsSecret(history));
    });

    it('are not mentioned where there are none', async () => {
      const made = await write('memory_create_event', {
        event_type: 'note',
        title: 'A lamp',
        content: `Commit f337625, id 0190b1c2-7d3e-7f4a-9b5c-6d7e8f901234, key <YOUR_KEY>.`,
      });
      assert.ok(!('redacted' in made));
      assert.match(String(made['content']), /<YOUR_KEY>/);
    });

    it('are in no file, row or index', async () => {
      await indexed(host, workspace_id);
      for (const query of [token, password, `${token} ${password}`]) {
        const filters = { kinds: ['event', 'node'] };
        const matching = { workspace_id, query, filters };
        const pattern = await host.use<{ results: unknown[] }>('search_pattern', matching);
        assert.deepEqual(pattern.results, []);
        const keyword = await host.use('search_keyword', matching);
        assert.ok(!holdsSecret(keyword.results)); // a warning may name the word that was asked for
        const found = await host.use<{ results: unknown[] }>('memory_search', { workspace_id, query });
        assert.ok(!holdsSecret(found.results));
      }
      const all = await everythingIn(database);
      assert.ok(all.some((bytes) => bytes.includes(marker)));
      for (const bytes of all) for (const secret of [token, password]) assert.ok(!bytes.includes(secret));
    });
  });

  describe('secrets in memory of a deployment that refuses or keeps them', () => {
    const token = ['gh', 'p_', randomBytes(18).toString('hex')].join('');
    const event = { event_type: 'note', title: 'Deploy', content: `Use ${token}.` };

    it('are refused with rule, field and position', async () => {
      const host = await startMemory(await fresh(), {
        workers: false,
        config: { secrets: { policy: 'refuse' } },
      });
      try {
        const workspace_id = await newWorkspace(host);
        const { message, details } = await rejects(
          host.use('memory_create_event', { workspace_id, ...event }),
          'INVALID_ARGUMENT',
          /^content: holds a secret \(github\) at characters 4 to 44/,
        );
        assert.ok(!JSON.stringify({ message, details }).includes(token));
        const { total } = await host.use<{ total: number }>('memory_list_events', { workspace_id });
        assert.equal(total, 0);
      } finally {
        await host.stop();
      }
    });

    it('are kept', async () => {
      const host = await startMemory(await fresh(), {
        workers: false,
        config: { secrets: { policy: 'keep' } },
      });
      try {
        const workspace_id = await newWorkspace(host);
        const made = await host.use<Written>('memory_create_event', { workspace_id, ...event });
        assert.equal(made['content'], event.content);
        assert.ok(!('redacted' in made));
      } finally {
        await host.stop();
      }
    });
  });
});
