import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest, SourceFile } from '@service-mcp/plugin-graph/internals';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';

/** Sources on disk, and how the resolver reads them. */
export interface Sources {
  readonly name: string;
  /** Absolute. */
  readonly directory: string;
  /** Relative to `directory`, with `/`. */
  readonly paths: readonly string[];
  readonly files: readonly SourceFile[];
  readonly manifests: readonly Manifest[];
}

const SOURCE = /\.(?:[cm]?[jt]sx?|json|py)$/;
const MANIFEST = /(?:^|\/)(?:package|[tj]sconfig[^/]*)\.json$/;
const LIMITS = { timeLimitMs: 20_000, maxBytes: 8 * 1024 * 1024, parseCode: true };

/** This repository's own packages. */
export async function repositorySources(): Promise<Sources> {
  const directory = fileURLToPath(new URL('../../../../', import.meta.url));
  return read(
    'this repository',
    directory,
    ['core', 'plugins', 'transports'],
    /\/(?:bundle|dist|node_modules|fixtures)\//,
  );
}

/** The sources of an installed package, copied out of node_modules: tools skip what is in there. */
export async function packageSources(name: string, folder: string): Promise<Sources> {
  const installed = directoryOf(name);
  const directory = await mkdtemp(join(tmpdir(), 'service-mcp-sources-'));
  await mkdir(join(directory, folder), { recursive: true });
  await cp(join(installed, folder), join(directory, folder), {
    recursive: true,
    filter: (path) => !relative(installed, path).includes('node_modules'),
  });
  for (const each of ['package.json', 'tsconfig.json']) {
    if (existsSync(join(installed, each))) await cp(join(installed, each), join(directory, each));
  }
  return read(name, directory, [folder], /\/node_modules\//);
}

/** The sources of a Python package that is installed in a folder, copied to a folder of its own. */
export async function pythonSources(name: string, installed: string): Promise<Sources> {
  const directory = await mkdtemp(join(tmpdir(), 'service-mcp-sources-'));
  await cp(join(installed, name), join(directory, name), { recursive: true });
  return read(name, directory, [name], /\/__pycache__\//);
}

function directoryOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (const base of require.resolve.paths(name) ?? []) {
    if (existsSync(join(base, name, 'package.json'))) return join(base, name);
  }
  throw new Error(`The package ${name} is not installed.`);
}

async function read(
  name: string,
  directory: string,
  folders: readonly string[],
  skip: RegExp,
): Promise<Sources> {
  const paths: string[] = [];
  for (const folder of folders) {
    for (const each of await readdir(join(directory, folder), { recursive: true, withFileTypes: true })) {
      const path = relative(directory, join(each.parentPath, each.name));
      if (each.isFile() && SOURCE.test(path) && !skip.test(`/${path}`)) paths.push(path);
    }
  }
  paths.sort();
  const files = await Promise.all(
    paths.filter((path) => !MANIFEST.test(path)).map((path) => sourceFile(directory, path)),
  );
  const roots = (await readdir(directory)).filter((each) => MANIFEST.test(each));
  const manifests = await Promise.all(
    [...roots, ...paths.filter((path) => MANIFEST.test(path))].map(async (path) => ({
      path,
      text: await readFile(join(directory, path), 'utf8'),
    })),
  );
  return { name, directory, paths: files.map(({ path }) => path), files, manifests };
}

async function sourceFile(directory: string, path: string): Promise<SourceFile> {
  const text = await readFile(join(directory, path), 'utf8');
  const { structure } = await parseInThread({ path, text, code: true }, LIMITS);
  const { language, symbols, complete, code } = structure;
  return { path, language, symbols, complete, ...(code && { code }) };
}
