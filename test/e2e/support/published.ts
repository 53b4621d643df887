import { cp, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, runWell } from './run.js';

const PACKAGES = [
  'core',
  ...['ai', 'auth', 'graph', 'help', 'memory', 'search', 'secrets', 'syntax', 'workspaces'].map(
    (name) => `plugins/${name}`,
  ),
  ...['cli', 'gateway', 'jsonrpc', 'mcp', 'rest', 'web'].map((name) => `transports/${name}`),
];
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

/**
 * Packs every package as `npm publish` would and installs the tarballs in `folder`: the result of
 * `npm install service-mcp`. Only the index engine, a native package of 120 MB, is linked from this repository.
 */
export async function installPublished(folder: string): Promise<void> {
  const tarballs = join(folder, 'tarballs');
  await mkdir(tarballs, { recursive: true });
  await runWell(
    'npm',
    [
      'pack',
      '--silent',
      '--ignore-scripts',
      '--pack-destination',
      tarballs,
      ...PACKAGES.map((part) => join(ROOT, part)),
    ],
    { cwd: folder },
  );
  const engine = join(ROOT, 'node_modules', '@lancedb', 'lancedb');
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, overrides: { '@lancedb/lancedb': `file:${engine}` } }),
  );
  const packed = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await runWell('npm', ['install', ...QUIET, ...packed], { cwd: folder });
}

/**
 * Compiles the plugin in `source` against the packages that are installed in `folder`, in a copy outside this
 * repository, and packs it. Returns the path of the tarball.
 */
export async function packPlugin(source: string, copy: string, folder: string): Promise<string> {
  await cp(source, copy, { recursive: true });
  const modules = join(copy, 'node_modules');
  await mkdir(modules);
  for (const name of ['@service-mcp', 'typebox'])
    await symlink(join(folder, 'node_modules', name), join(modules, name), 'junction');
  // The development dependencies of the plugin are those of this repository.
  for (const name of ['@types', 'mocha'])
    await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  await runWell(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-b', '.', 'test'], { cwd: copy });
  await runWell('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: copy });
  const { name, version } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return join(copy, `${name}-${version}.tgz`);
}

/** Installs one more tarball in `folder`. */
export async function installTarball(folder: string, tarball: string): Promise<void> {
  await runWell('npm', ['install', ...QUIET, tarball], { cwd: folder });
}
