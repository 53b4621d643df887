import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import ignore from 'ignore';
import { ROOT, plainEnv, run, runWell } from '../../e2e/support/run.js';
import { freePort } from '../../free-port.js';

/** Each check is a process, which the start of the service would share the processor with. */
const HEALTH_EVERY_MS = 250;

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of deploy/Dockerfile, with the lines that continue one joined. */
async function readInstructions(): Promise<Instruction[]> {
  const text = await readFile(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll('\\\n', ' ');
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, value };
    });
}

/** The steps of the Dockerfile in a copy of what its build is given: no engine runs here, but all that it would run does. */
describe('the image of deploy/Dockerfile', () => {
  let folder: string;
  let instructions: Instruction[];
  const values = (name: string) =>
    instructions.filter((each) => each.name === name).map(({ value }) => value);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-image-'));
    instructions = await readInstructions();
    const left = ignore().add(await readFile(join(ROOT, '.dockerignore'), 'utf8'));
    const listed = await runWell('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
    });
    for (const path of listed.split('\n').filter((each) => each !== '' && !left.ignores(each)))
      await cp(join(ROOT, path), join(folder, 'context', path));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is built from its context, serves, tells its health and stops', async () => {
    const root = join(folder, 'context');
    const isOfBuild = instructions.findLastIndex(({ name }) => name === 'FROM');
    for (const { name, value } of instructions.slice(0, isOfBuild))
      if (name === 'RUN') await runWell('sh', ['-ec', value], { cwd: root });
    await assert.rejects(stat(join(root, 'node_modules/typescript')), 'what builds is left out');

    const target = /ln -s \/opt\/service-mcp\/(\S+)/.exec(values('RUN').join('\n'))?.[1] ?? '';
    const port = await freePort();
    const set = values('ENV').flatMap((value) => value.split(/\s+/).map((each) => each.split('=')));
    const env = {
      ...(Object.fromEntries(set) as Record<string, string>),
      HOME: folder,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: String(port),
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_BASE_URL: 'https://memory.example.org',
    };
    const [[entry], command] = [...values('ENTRYPOINT'), ...values('CMD')].map(
      (value) => JSON.parse(value) as string[],
    ) as [string[], string[]];
    assert.equal(entry, 'service-mcp');
    const [, check = ''] = /CMD (\[.*\])$/.exec(values('HEALTHCHECK')[0] ?? '') ?? [];
    const [program = '', ...args] = JSON.parse(check) as string[];
    const health = async () => (await run(program, args, { cwd: folder, env })).code;
    assert.equal(await health(), 1);
    const child = spawn(join(root, target), command, { cwd: folder, env: plainEnv(env), stdio: 'pipe' });
    const ended = once(child, 'exit');
    try {
      let heard = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (heard += String(part)));
      while ((await health()) !== 0) {
        assert.equal(child.exitCode, null, heard);
        await delay(HEALTH_EVERY_MS);
      }
      assert.match(heard, /setup_token=svc_su_/, 'the log has the way to the first account');
    } finally {
      child.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  });
});
