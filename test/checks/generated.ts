import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import wabt from 'wabt';
import { defaultPlugins, defaultTools } from './deployment.js';
import { referencePages } from './reference/pages.js';
import { ROOT } from './repository.js';
import { snapshotFolder, snapshotOf, snapshotPath } from './snapshot.js';
import { toolRoutes } from './tool-routes.js';
import { toolTypes } from './tool-types.js';

/** Files generated from the declarations: content by path relative to the root. */
export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  /** Folders that hold nothing else. */
  readonly folders: readonly string[];
}

export async function generatedSnapshots(): Promise<Generated> {
  const tools = await defaultTools();
  const files = new Map(tools.map((placed) => [snapshotPath(placed), snapshotOf(placed)]));
  return { files, folders: (await defaultPlugins()).map(snapshotFolder) };
}

export async function generatedReference(): Promise<Generated> {
  const folder = 'docs/reference';
  const pages = await referencePages();
  return {
    files: new Map([...pages].map(([name, text]) => [`${folder}/${name}`, text])),
    folders: [folder],
  };
}

/** The types of the calls of the command line and of the dashboard, which calls by routes. */
export async function generatedTypes(): Promise<Generated> {
  const [commandLine, dashboard] = ['transports/cli/src/generated', 'transports/web/client/src/generated'];
  const types = await toolTypes();
  return {
    files: new Map([
      [`${commandLine}/tools.ts`, types],
      [`${dashboard}/tools.ts`, types + (await toolRoutes())],
    ]),
    folders: [commandLine, dashboard],
  };
}

/** The loops over rows of numbers that search trains with: text of WebAssembly, assembled. */
export async function generatedKernels(): Promise<Generated> {
  const source = 'plugins/search/src/services/embedding/training/kernels.wat';
  const folder = 'plugins/search/src/generated';
  const module = (await wabt()).parseWat(source, readFileSync(join(ROOT, source)), { simd: true });
  const bytes = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const lines = [
    `// Assembled from ${source} by npm run docs; not edited by hand.`,
    '// oxfmt-ignore',
    `export const KERNELS = '${bytes}';`,
  ];
  return { files: new Map([[`${folder}/kernels.ts`, `${lines.join('\n')}\n`]]), folders: [folder] };
}

/** Differences between generated and committed files: `missing`, `stale` or `orphaned`, and the path. */
export function differences({ files, folders }: Generated): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const there = read(path);
    if (there === undefined) found.push(`missing: ${path}`);
    else if (there !== text) found.push(`stale: ${path}`);
  }
  return [...found, ...orphans({ files, folders }).map((path) => `orphaned: ${path}`)];
}

/** Writes the generated files and removes orphans. */
export function write(generated: Generated): void {
  for (const path of orphans(generated)) rmSync(join(ROOT, path));
  for (const [path, text] of generated.files) {
    if (read(path) === text) continue;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}

function orphans({ files, folders }: Generated): string[] {
  return folders
    .flatMap((folder) => list(folder).map((name) => `${folder}/${name}`))
    .filter((path) => !files.has(path));
}

function list(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder)).sort();
  } catch {
    return []; // not made yet
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined; // missing
  }
}
