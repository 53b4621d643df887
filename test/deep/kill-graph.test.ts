import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eachDatabase, type TestDatabase } from '@service-mcp/core/testing';
import { readPart, resolveProject, type FileGraph } from '@service-mcp/plugin-graph/internals';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import { startService, type ServiceProcess } from '../service-process.js';
import { backgroundWork } from '../worker-process.js';
import { FAULT_LOOPS } from './support/fault-loops.js';

const CHANGES_A_KILL = 6;
const FILES = 120;
const LIMITS = { timeLimitMs: 20_000, maxBytes: 4 * 1024 * 1024, parseCode: true };

const pathOf = (n: number): string => `src/module-${n}.ts`;

/** A module that calls two others, which change from version to version. */
function sourceOf(n: number, version: number): string {
  const [a, b] = [(n + version + 1) % FILES, (n * 7 + version) % FILES];
  return [
    `import { run as one } from './module-${a}.js';`,
    `import * as two from './module-${b}.js';`,
    `export class Module${n} {\n  step${version}(): number {\n    return two.run() + this.next();\n  }\n  next(): number {\n    return one();\n  }\n}`,
    `export const run = (): number => new Module${n}().step${version}();\n`,
  ].join('\n');
}

eachDatabase((fresh) => {
  it(`has the graph of a full build, killed ${FAULT_LOOPS} times in the middle of changes`, async function () {
    this.timeout(900_000);
    const database = await fresh();
    const { dataDir, env } = database;
    const texts = new Map<string, string>();
    let service = await startService(dataDir, env);
    let killed = 0;
    try {
      await service.call('workspaces_create', { name: 'w' });
      const { id: project_id } = await service.call<{ id: string }>('projects_create', { name: 'p' });
      for (let kill = 0; kill < FAULT_LOOPS; kill++) {
        for (let change = 0; change < CHANGES_A_KILL; change++)
          await makeChange(service, project_id, kill * CHANGES_A_KILL + change, texts);
        await delay(Math.random() * 1500);
        if (kill % 3 === 2) {
          await service.end('SIGKILL');
          service = await startService(dataDir, env);
          killed++;
          continue;
        }
        const { pid } = await backgroundWork(service);
        if (pid === undefined) continue;
        process.kill(pid, 'SIGKILL');
        killed++;
      }
      assert.ok(killed > FAULT_LOOPS / 3, 'hardly anything was killed');
      await settled(service, project_id);
      await service.end();
      assert.deepEqual(await storedGraph(database), await fullGraph(texts));
    } finally {
      await service.end('SIGKILL');
    }
  });
});

/** Writes some files or deletes one. Both are acknowledged: the service is killed between changes. */
async function makeChange(
  service: ServiceProcess,
  project_id: string,
  version: number,
  texts: Map<string, string>,
): Promise<void> {
  const first = (version * 37) % FILES;
  if (version % 5 === 4) {
    texts.delete(pathOf(first));
    await service.call('files_delete', { project_id, paths: [pathOf(first)] });
    return;
  }
  const size = version % 3 === 0 ? 40 : 3;
  const files = Array.from({ length: size }, (_, i) => {
    const n = (first + i) % FILES;
    return { path: pathOf(n), content: sourceOf(n, version) };
  });
  await service.call('files_ingest', { project_id, files });
  for (const { path, content } of files) texts.set(path, content);
}

async function settled(service: ServiceProcess, project_id: string): Promise<void> {
  for (;;) {
    const { state } = await service.call<{ state: string }>('projects_index_status', { project_id });
    if (state !== 'indexing') return;
    await delay(100);
  }
}

async function storedGraph(test: TestDatabase): Promise<FileGraph[]> {
  const database = await test.open();
  try {
    const rows: Array<{ part: Buffer | ArrayBuffer }> = await database.sql('graph_files');
    assert.equal((await database.sql('graph_structures')).length, rows.length, 'no structure is left over');
    return byPath(rows.map(({ part }) => readPart(part)));
  } finally {
    await database.close();
  }
}

async function fullGraph(texts: ReadonlyMap<string, string>): Promise<FileGraph[]> {
  const files = [...texts].map(async ([path, text]) => {
    const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
    const { language, symbols, complete, code } = structure;
    return { path, language, symbols, complete, ...(code && { code }) };
  });
  const graphs = resolveProject(await Promise.all(files), []);
  return byPath(JSON.parse(JSON.stringify(graphs)) as FileGraph[]);
}

function byPath(graphs: FileGraph[]): FileGraph[] {
  return graphs.sort((a, b) => (a.path < b.path ? -1 : 1));
}
