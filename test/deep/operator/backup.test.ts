import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cleanEnv, runBinary } from '../../command.js';
import { ROOT } from '../../e2e/support/run.js';
import { startService, type ServiceProcess } from '../../service-process.js';
import { HOSTED_DEPLOYMENT } from '../../start-service.js';
import { startDebianPostgres, type DebianPostgres } from './debian-postgres.js';

const EMAIL = 'ann@example.com';
const MODES = ['keyword', 'semantic', 'hybrid', 'pattern'] as const;
const FILES: Readonly<Record<string, string>> = {
  'src/lamp.ts':
    "import { windHorn } from './horn.js';\n\nexport function lightLamp(hours: number) {\n  return windHorn(hours);\n}\n",
  'src/horn.ts': 'export function windHorn(hours: number) {\n  return hours * 60;\n}\n',
  'docs/keeper.md': '# The keeper\n\nThe zwiebelfisch horn is wound at dusk, and each hour of fog.\n',
};

interface Hit {
  readonly path: string;
}

/** The commands of a section of the operator's guide, a text for each of its blocks. */
async function commands(heading: string): Promise<string[]> {
  const guide = await readFile(join(ROOT, 'docs', 'guides', 'operator.md'), 'utf8');
  const [, section = ''] = guide.split(`\n### ${heading}\n`);
  const [own = ''] = section.split('\n### ');
  return [...own.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => text);
}

/** The backups of docs/guides/operator.md, by its own commands: a restored service has and finds everything. */
describe('backup and restore of the operator guide', () => {
  let folder: string;
  let blocks: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-backup-'));
    blocks = await commands('Back up and restore');
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(join(folder, 'project', path, '..'), { recursive: true });
      await writeFile(join(folder, 'project', path), text);
    }
    await mkdir(join(folder, 'backup'));
  });
  afterEach(() => running?.end());
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** Runs a block as an operator would, in the folder of the clone. */
  const shell = (text: string, env: Readonly<Record<string, string>>) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: ROOT,
      env: { ...cleanEnv(), BACKUP: join(folder, 'backup'), ...env },
    });
  const json = async <T>(args: readonly string[], env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await runBinary([...args, '--json'], { env });
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  let running: ServiceProcess | undefined;
  const start = async (data: string, env: Readonly<Record<string, string>>) => {
    running = await startService(data, { ...cleanEnv(), ...env }, HOSTED_DEPLOYMENT);
    return running;
  };

  /** An account with a key, a project, memory and a code graph. */
  async function fill(service: ServiceProcess, data: string, env: Readonly<Record<string, string>>) {
    const local = ['--data', data];
    await json(['accounts', 'create', EMAIL, ...local], env);
    const made = ['keys', 'create', 'backup', '--scope', '*', '--account', EMAIL, ...local];
    const { secret_key: key } = await json<{ secret_key: string }>(made, env);
    const as = { headers: { 'x-service-api-key': key } };
    const { id } = await service.call<{ id: string }>('workspaces_create', { name: 'Lighthouse' }, as);
    const to = ['--workspace', id, '--url', service.url];
    await json(['ingest', join(folder, 'project'), ...to], { ...env, SERVICE_API_KEY: key });
    const text = { title: 'Wind the horn', content: 'Because of the fog.' };
    const node = { workspace_id: id, node_type: 'decision', ...text };
    await service.call('memory_create_node', node, as);
    return key;
  }

  /** What the service finds, until its indexes are whole. */
  async function found(service: ServiceProcess, key: string) {
    const as = { headers: { 'x-service-api-key': key } };
    const call = <T>(tool: string, args: object) => service.call<T>(tool, args, as);
    const { items } = await call<{ items: Array<{ id: string }> }>('projects_list', {});
    const project = { project_id: items[0]?.id };
    const memory = async () =>
      (await call<{ results: Array<{ title: string }> }>('memory_search', { query: 'horn' })).results;
    for (;;) {
      const { state } = await call<{ state: string }>('projects_index_status', project);
      if (state === 'ready' && (await memory()).length > 0) break;
      assert.match(state, /^(?:ready|indexing)$/);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const hits: Record<string, string[]> = {};
    for (const mode of MODES) {
      const query = { query: 'zwiebelfisch' };
      const { results } = await call<{ results: Hit[] }>(`search_${mode}`, query);
      hits[mode] = results.map(({ path }) => path).sort();
    }
    const titles = (await memory()).map(({ title }) => title);
    const target = { type: 'function', name: 'lightLamp' };
    const { dependencies } = await call<{ dependencies: object[] }>('graph_dependencies', {
      ...project,
      target,
    });
    const file = await call('files_read', { ...project, path: 'src/horn.ts' });
    return { hits, titles, dependencies, file };
  }

  it('the embedded database, into a new folder', async () => {
    const data = join(folder, 'embedded');
    const restored = join(folder, 'restored');
    const service = await start(data, {});
    const key = await fill(service, data, {});
    const before = await found(service, key);
    for (const mode of MODES) assert.ok(before.hits[mode]?.includes('docs/keeper.md'), mode);
    assert.deepEqual([before.titles.length, before.dependencies.length], [1, 1]);
    await service.end();

    await shell(blocks[0] ?? '', { DATA: data });
    await rm(data, { recursive: true });
    await shell(blocks[1] ?? '', { DATA: restored });
    const again = await start(restored, {});
    assert.deepEqual(await found(again, key), before);
  });

  describe('PostgreSQL', () => {
    let postgres: DebianPostgres;
    before(async () => {
      postgres = await startDebianPostgres();
    });
    after(() => postgres.stop());

    it('while the service runs, into an empty database and a new folder', async () => {
      const PATH = `${postgres.bin}${delimiter}${process.env['PATH'] ?? ''}`;
      const source = { DATABASE_URL: await postgres.create('source') };
      const target = { DATABASE_URL: await postgres.create('target') };
      const data = join(folder, 'postgres');
      const restored = join(folder, 'postgres-restored');
      const service = await start(data, source);
      const key = await fill(service, data, source);
      const before = await found(service, key);
      await shell(blocks[2] ?? '', { ...source, PATH });
      await service.end();

      await shell(blocks[3] ?? '', { ...target, DATA: restored, PATH });
      const again = await start(restored, target);
      assert.deepEqual(await found(again, key), before);
    });

    it('takes the embedded database over, with its accounts, keys and indexes, and only once', async () => {
      const [guide = ''] = await commands('Move to PostgreSQL');
      const copy = guide.replace(/^DATABASE_URL=\S+ /, '');
      assert.notEqual(copy, guide, 'the guide says which database');
      const data = join(folder, 'moved');
      const embedded = await start(data, {});
      const key = await fill(embedded, data, {});
      const before = await found(embedded, key);
      await embedded.end();

      const target = { DATABASE_URL: await postgres.create('moved') };
      const { stdout } = await shell(copy, { ...target, DATA: data });
      assert.match(stdout, /Copied \d+ rows of \d+ tables/);
      const again = await start(data, target);
      assert.deepEqual(await found(again, key), before);
      // Numbers that the database counts go on after those that were copied.
      await writeFile(join(folder, 'project', 'docs', 'further.md'), 'A further zwiebelfisch.\n');
      const [{ id: project } = { id: '' }] = (
        await again.call<{ items: Array<{ id: string }> }>(
          'projects_list',
          {},
          { headers: { 'x-service-api-key': key } },
        )
      ).items;
      const to = ['--project', project, '--url', again.url];
      await json(['ingest', join(folder, 'project'), ...to], { ...target, SERVICE_API_KEY: key });
      assert.ok((await found(again, key)).hits['keyword']?.includes('docs/further.md'));
      await again.end();

      const refused = await shell(copy, { ...target, DATA: data }).catch((thrown: unknown) => thrown);
      assert.match((refused as { stderr: string }).stderr, /It was copied before.*rename it to service\.db/);
      await rename(join(data, 'service.db.moved'), join(data, 'service.db'));
      const twice = await shell(copy, { ...target, DATA: data }).catch((thrown: unknown) => thrown);
      assert.match((twice as { stderr: string }).stderr, /is not empty: it has rows in /);
      const without = await runBinary(['serve', '--port', '0', '--data', data]);
      assert.match(without.stderr, /is the data folder of a deployment on PostgreSQL/);
    });
  });
});
