import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The suite needs a newer Node than the service; both come from the package registry, into a folder of their own. */
const PACKAGES = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@24.21.0'];
const NODE_MAJOR = 'v24.';
/** For one scenario. */
const SCENARIO_MS = 60_000;

/** One assertion of a scenario. `INFO` and `SKIPPED` say that it does not apply. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The outcome of a scenario. */
export interface Scenario {
  readonly name: string;
  /** False for one that the revision does not require. */
  readonly required: boolean;
  readonly checks: readonly Check[];
}

/** The scenarios of one revision, and all that the suite printed of them. */
export interface Outcome {
  readonly revision: string;
  readonly scenarios: readonly Scenario[];
  /** Required scenarios of which the suite left no result: they did not run. */
  readonly missing: readonly string[];
  readonly exitCode: number;
  readonly printed: string;
}

/** A suite that is installed. */
export interface Suite {
  run(url: string, revision: string): Promise<Outcome>;
  remove(): Promise<void>;
}

/** Installs the suite and its Node. Throws with the missing part and the remedy. */
export async function installSuite(): Promise<Suite> {
  const folder = await mkdtemp(join(tmpdir(), 'service-mcp-conformance-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
    const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', ...PACKAGES];
    const install = await execute('npm', args, folder);
    if (install.code !== 0) throw missing(`npm install failed:\n${install.printed}`);
    const node = join(folder, 'node_modules', 'node', 'bin', 'node');
    const { printed: version } = await execute(node, ['--version'], folder);
    if (!version.startsWith(NODE_MAJOR))
      throw missing(`the package node brought ${version.trim() || 'nothing that runs here'}, not Node 24`);
    const suite = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance');
    return { remove, run: (url, revision) => runSuite({ folder, node, suite }, url, revision) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function missing(what: string): Error {
  return new Error(
    `The conformance suite needs ${PACKAGES.join(' and ')} from the package registry, and ${what}\nMake the registry reachable for npm, and run it again.`,
  );
}

interface Installed {
  readonly folder: string;
  readonly node: string;
  readonly suite: string;
}

async function runSuite({ folder, node, suite }: Installed, url: string, revision: string): Promise<Outcome> {
  const required = requiredOf(await readFile(join(suite, 'requirements', `${revision}.yaml`), 'utf8'));
  const results = await mkdtemp(join(folder, `results-${revision}-`));
  const { code, printed } = await execute(
    node,
    [
      join(suite, 'dist', 'index.js'),
      'server',
      `--url=${url}`,
      `--requirements=${revision}`,
      `--timeout=${SCENARIO_MS}`,
      `--output-dir=${results}`,
    ],
    folder,
  );
  const scenarios: Scenario[] = [];
  for (const entry of (await readdir(results)).sort()) {
    const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d.Z-]+$/, '');
    const checks = JSON.parse(await readFile(join(results, entry, 'checks.json'), 'utf8')) as Check[];
    scenarios.push({ name, required: required.includes(name), checks });
  }
  const ran = new Set(scenarios.map(({ name }) => name));
  return { revision, scenarios, missing: required.filter((name) => !ran.has(name)), exitCode: code, printed };
}

/** The list `server:` of a file of requirements, which is a plain list of names. */
export function requiredOf(yaml: string): string[] {
  const [, list = ''] = /^server:\n((?: {2}- .*\n)+)/m.exec(yaml) ?? [];
  return list
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter(Boolean);
}

async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; printed: string }> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, printed };
  } catch (error) {
    return { code: 1, printed: `${command} does not run here: ${(error as Error).message}` };
  }
}
