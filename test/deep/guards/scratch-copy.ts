import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Parts of a package that it does not need to run. */
const LEFT_OUT = new Set(['bundle', 'node_modules', 'src']);

/** Tests of a built file whose full titles contain a text. */
export interface Selection {
  readonly test: string;
  readonly titled: string;
}

/** The outcome of a test run, of one or more selections. */
export interface Outcome {
  /** How many tests of a selection passed. */
  passed(selection: Selection): number;
  /** The full titles of tests of a selection that failed, and of hooks. */
  failed(selection: Selection): readonly string[];
  /** Other problems, such as a file that does not load. */
  readonly trouble: string;
}

/** A copy of the build in a temporary folder, which tests may break. */
export interface ScratchCopy {
  /** Replaces the only `text` of a built file with `by`. Returns how to restore it. Throws unless `text` occurs once. */
  patch(file: string, text: string, by: string): Promise<() => Promise<void>>;
  /** Runs the selected tests in one process; those of one selection up to the first that fails. */
  run(selections: readonly Selection[]): Promise<Outcome>;
  remove(): Promise<void>;
}

export async function scratchCopy(): Promise<ScratchCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'service-mcp-guards-'));
  const ours = ['core', 'test', ...(await within('plugins')), ...(await within('transports'))];
  for (const name of ['package.json', '.mocharc.json', 'deploy'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const part of ours) {
    const filter = (path: string) => dirname(path) !== join(ROOT, part) || !LEFT_OUT.has(basename(path));
    await cp(join(ROOT, part), join(folder, part), { recursive: true, filter });
    await linkAll(join(ROOT, part, 'node_modules'), join(folder, part, 'node_modules'));
  }
  // Everything that is installed, but of our own packages the copies.
  await linkAll(join(ROOT, 'node_modules'), join(folder, 'node_modules'), ['@service-mcp', 'service-mcp']);
  await mkdir(join(folder, 'node_modules/@service-mcp'));
  for (const part of ours) {
    const { name } = JSON.parse(await readFile(join(folder, part, 'package.json'), 'utf8')) as {
      name: string;
    };
    await symlink(join(folder, part), join(folder, 'node_modules', name));
  }

  return {
    async patch(file, text, by) {
      const path = join(folder, file);
      const whole = await readFile(path, 'utf8');
      const found = whole.split(text).length - 1;
      if (found !== 1)
        throw new Error(
          `${file} has "${text}" ${found} times, not once: bring the list of guards up to date`,
        );
      await writeFile(
        path,
        whole.replace(text, () => by),
      );
      return () => writeFile(path, whole);
    },
    async run(selections) {
      const report = join(folder, 'report.json');
      await rm(report, { force: true });
      const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
      const args = [
        '--exit',
        ...(selections.length === 1 ? ['--bail', '--timeout', '30000'] : []), // a lost guard may hang
        '--grep',
        [...new Set(selections.map(({ titled }) => literal(titled)))].join('|'),
        '--reporter',
        'json',
        '--reporter-option',
        `output=${report}`,
        ...new Set(selections.map(({ test }) => test)),
      ];
      const child = spawn(process.execPath, [mocha, ...args], {
        cwd: folder,
        // Guards go from the compiled modules: processes that tests start must run these too.
        env: { ...process.env, NODE_OPTIONS: '--conditions=unbundled' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let trouble = '';
      child.stderr.on('data', (chunk: Buffer) => (trouble += chunk.toString()));
      await once(child, 'close');
      try {
        const { passes, failures } = JSON.parse(await readFile(report, 'utf8')) as Report;
        trouble += failures.map(({ err }) => err.message ?? '').join('\n');
        return {
          passed: ({ test, titled }) =>
            passes.filter((one) => isOf(one, test) && one.fullTitle.includes(titled)).length,
          failed: ({ test, titled }) =>
            failures
              .filter((one) => isOf(one, test) && (one.fullTitle.includes(titled) || isHook(one)))
              .map(({ fullTitle }) => fullTitle),
          trouble,
        };
      } catch {
        return { passed: () => 0, failed: () => [], trouble: trouble || 'it reported nothing' };
      }
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

interface Reported {
  readonly file: string;
  readonly title: string;
  readonly fullTitle: string;
  readonly err: { readonly message?: string };
}

interface Report {
  readonly passes: readonly Reported[];
  readonly failures: readonly Reported[];
}

/** As a regular expression: mocha reads `--grep` as one. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

function isOf({ file }: Reported, test: string): boolean {
  return file.endsWith(`/${test}`);
}

/** Mocha names the test that a hook was for, or none. */
function isHook({ title }: Reported): boolean {
  return title.startsWith('"');
}

async function within(folder: string): Promise<string[]> {
  const found = await readdir(join(ROOT, folder), { withFileTypes: true });
  return found.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Links to each entry of a folder, where it is there at all. */
async function linkAll(from: string, to: string, but: readonly string[] = []): Promise<void> {
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  await mkdir(to);
  for (const name of names)
    if (!but.includes(name) && !name.startsWith('.')) await symlink(join(from, name), join(to, name));
}
