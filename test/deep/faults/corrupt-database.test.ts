import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { freshDatabase } from '@service-mcp/core/testing';
import { runBinary } from '../../command.js';
import { startService } from '../../service-process.js';
import { LOCAL_DEPLOYMENT } from '../../start-service.js';

const PAGE = 4096;

describe('fault: pages of the embedded database are garbled', () => {
  it('doctor says so, blames no index, and repairs none', async () => {
    const database = await freshDatabase('sqlite');
    const { dataDir } = database;
    const service = await startService(dataDir);
    await service.call('workspaces_create', { name: 'w' });
    const { id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' });
    const files = Array.from({ length: 300 }, (_, n) => ({
      path: `f${n}.md`,
      content: `walrus ${n} `.repeat(20),
    }));
    await service.call('files_ingest', { project_id, files });
    await service.end();
    const file = await open(join(dataDir, 'service.db'), 'r+');
    const { size } = await file.stat();
    const noise = Buffer.alloc(PAGE, 0x5a);
    // Not the first pages, with the schema: the service still opens such a file.
    for (let page = Math.ceil(size / PAGE / 2); page < size / PAGE; page++)
      await file.write(noise, 0, PAGE, page * PAGE);
    await file.close();

    const args = ['doctor', '--repair', '--config', LOCAL_DEPLOYMENT, '--data', dataDir];
    const { code, stdout, stderr } = await runBinary(args);
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout, /the database is damaged/);
    assert.match(stdout, /restore the last backup/);
    assert.doesNotMatch(stdout, /doctor --repair/);
    await database.drop();
  });

  it('doctor reads the indexes of PostgreSQL where amcheck is installed', async () => {
    const fresh = await freshDatabase('postgresql');
    const { dataDir, env } = fresh;
    const here = ['--config', LOCAL_DEPLOYMENT, '--data', dataDir];
    const args = ['doctor', ...here];
    await runBinary(['migrate', ...here], { env });
    assert.match((await runBinary(args, { env })).stdout, /amcheck is not installed/);
    const database = await fresh.open();
    await database.sql.raw('CREATE EXTENSION amcheck');
    await database.close();
    assert.match((await runBinary(args, { env })).stdout, /indexes of its tables are sound/);
    await fresh.drop();
  });
});
