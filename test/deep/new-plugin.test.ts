import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { coreSections } from '@service-mcp/core/host';
import { ROOT, run, runWell } from '../e2e/support/run.js';

const SCRIPT = join('scripts', 'new-plugin.mjs');

describe('npm run new:plugin', () => {
  let folder: string;
  let copy: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-mcp-new-'));
    copy = await copyOfRepository(join(folder, 'copy'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const make = (args: readonly string[], root = ROOT) =>
    run(process.execPath, [join(root, SCRIPT), ...args], { cwd: root });

  it('makes a registered plugin whose build, tests and lint pass', async () => {
    const made = await make(['issue-tracker'], copy); // it builds, tests and lints by itself, and fails otherwise
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /its tests pass.*\n.*@service-mcp\/plugin-issue-tracker/);
    const { references } = await json<{ references: object[] }>(copy, 'tsconfig.json');
    for (const path of ['plugins/issue-tracker', 'plugins/issue-tracker/test']) {
      assert.ok(references.some((reference) => (reference as { path: string }).path === path));
    }
    const { packages } = await json<{ packages: Record<string, object> }>(copy, 'package-lock.json');
    assert.ok(
      packages['plugins/issue-tracker'] && packages['node_modules/@service-mcp/plugin-issue-tracker'],
    );

    const again = await make(['issue-tracker'], copy);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /There is a plugin issue-tracker already/);
  });

  it('takes back everything where a step fails', async () => {
    await writeFile(
      join(copy, 'scripts/new-plugin/shared/src/config.ts.template'),
      'export const config: number = "";\n',
    );
    const before = await Promise.all(['tsconfig.json', 'package-lock.json'].map((name) => text(copy, name)));
    const made = await make(['broken'], copy);
    assert.equal(made.code, 1);
    assert.match(made.stderr, /^Nothing was made: .*tsc/);
    assert.ok(!(await readdir(join(copy, 'plugins'))).includes('broken'));
    assert.ok(!(await readdir(join(copy, 'node_modules', '@service-mcp'))).includes('plugin-broken'));
    const after = await Promise.all(['tsconfig.json', 'package-lock.json'].map((name) => text(copy, name)));
    assert.deepEqual(after, before);
  });

  it('refuses invalid names, with a remedy', async () => {
    for (const [args, complaint] of [
      [[], /needs a name/],
      [['Tracker'], /a-z and 0-9/],
      [['a--b'], /single hyphens/],
      [['../up'], /is not a plugin name/],
      [['a'.repeat(41)], /1 to 40/],
      ...Object.keys(coreSections).map((section) => [[section], /means something else/] as const),
      [['search'], /There is a plugin search already/],
      [['one', 'two'], /"two" is a second/],
      [['fine', '--outt', 'x'], /--outt[^]*Usage/],
      [['fine', '--out', ROOT], /is not empty/],
    ] as const) {
      const { code, stdout, stderr } = await make(args);
      assert.equal(code, 1, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, complaint);
    }
  });

  it('makes a package of its own for a third party', async () => {
    const out = join(folder, 'acme');
    const made = await make(['acme-hello', '--out', out]);
    assert.equal(made.code, 0, made.stderr);
    await runWell('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: out });
    assert.match(await runWell('npm', ['test'], { cwd: out }), /2 passing/);
    const [packed] = JSON.parse(
      await runWell('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: out }),
    ) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    assert.ok(
      files.includes('dist/index.js') && files.includes('dist/tools/greet.js') && files.includes('README.md'),
    );
    assert.deepEqual(
      files.filter((path) => /^(?:src|test|packages)\//.test(path)),
      [],
    );
  });
});

const text = (root: string, name: string) => readFile(join(root, name), 'utf8');
const json = async <T>(root: string, name: string) => JSON.parse(await text(root, name)) as T;

/** A copy of the checkout, with its installed packages linked in: changes there do not reach this repository. */
async function copyOfRepository(to: string): Promise<string> {
  const left = new RegExp(`(?:node_modules|\\${sep}test\\${sep}dist)$`);
  const files = (await readdir(ROOT, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const part of ['core', 'plugins', 'transports', 'test', 'scripts', ...files.map(({ name }) => name)]) {
    await cp(join(ROOT, part), join(to, part), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !left.test(path),
    });
  }
  const modules = join(to, 'node_modules');
  await mkdir(join(modules, '@service-mcp'), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== '@service-mcp')
      await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  await symlink(join(to, 'core'), join(modules, '@service-mcp', 'core'), 'junction');
  // Where a package needs another version than the others do, it has one of its own.
  for (const part of [
    'core',
    ...(await readdir(join(ROOT, 'plugins'))).map((name) => join('plugins', name)),
  ]) {
    const own = join(ROOT, part, 'node_modules');
    if (existsSync(own)) await symlink(own, join(to, part, 'node_modules'), 'junction');
  }
  return to;
}
