import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Clients that are programs, with the Node that the newest of them need. */
const PACKAGES = [
  '@modelcontextprotocol/inspector@2.12.0',
  'mcp-remote@0.15.1',
  'mcporter@0.12.3',
  'node@24.21.0',
];
const NODE_MAJOR = 'v24.';

/** Packages that need their scripts of installation, and those that would compile what nobody calls. */
const SCRIPTS = {
  '@anthropic-ai/claude-code': true,
  '@github/keytar': false,
  node: true,
  'node-pty': false,
  'opencode-ai': true,
};

/** Cached for the next run, beside the dependencies: no other user can write there. */
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/service-mcp-clients', import.meta.url));

/** Clients that are installed. */
export interface Installed {
  readonly node: string;
  readonly inspector: string;
  readonly mcpRemote: string;
  readonly mcporter: string;
}

/** Installs the clients where they are not yet. Throws with the missing part and the remedy. */
export async function installClients(): Promise<Installed> {
  const folder = await installPackages(PACKAGES);
  const at = (...path: string[]) => join(folder, 'node_modules', ...path);
  const node = at('node', 'bin', 'node');
  const { stdout: version } = await run(node, ['--version']).catch((error: Error) => {
    throw missing(`its Node does not run here (${error.message}): remove ${CACHE}.`);
  });
  if (!version.startsWith(NODE_MAJOR)) throw missing(`the package node brought ${version.trim()}.`);
  return {
    node,
    inspector: at('@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'),
    mcpRemote: at('mcp-remote', 'dist', 'proxy.js'),
    mcporter: at('mcporter', 'dist', 'cli.js'),
  };
}

/** The folder with these packages of npm, each with its version. Throws with the missing part and the remedy. */
export async function installPackages(packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, hash('sha256', packages.join(' ')).slice(0, 16));
  if (!existsSync(folder)) await install(folder, packages);
  return folder;
}

/** Installs into a temporary folder first, so that an aborted install is never used. */
async function install(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const made = await mkdtemp(join(CACHE, 'new-'));
  try {
    await writeFile(join(made, 'package.json'), JSON.stringify({ private: true, allowScripts: SCRIPTS }));
    const args = ['install', '--no-audit', '--no-fund', '--engine-strict=false', ...packages];
    await run('npm', args, { cwd: made, maxBuffer: 16 * 1024 * 1024 }).catch((error: Error) => {
      throw missing(`npm install failed:\n${error.message}`, packages);
    });
    // Somebody else may have been faster.
    if (!existsSync(folder)) await rename(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true, maxRetries: 5 });
  }
}

function missing(what: string, packages: readonly string[] = PACKAGES): Error {
  return new Error(
    `The tests of clients need ${packages.join(', ')} from the package registry, and ${what}\nMake the registry reachable for npm, and run them again.`,
  );
}
