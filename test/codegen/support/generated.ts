import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { BINARY } from '../../command.js';

/** Beside this file, so that zod is found. */
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `service-mcp codegen` of the real binary, with nothing of the person's own settings. */
export function runCodegen(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const { PATH, HOME, TMPDIR, NODE_V8_COVERAGE } = process.env;
  const XDG_CONFIG_HOME = join(tmpdir(), 'service-mcp-no-config');
  const child = spawn(process.execPath, [BINARY, 'codegen', ...args], {
    cwd: tmpdir(),
    env: { PATH, HOME, TMPDIR, NODE_V8_COVERAGE, XDG_CONFIG_HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString('utf8')));
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString('utf8')));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** A folder for generated files, in which they find zod. */
export interface Workbench {
  readonly path: string;
  write(name: string, text: string): Promise<string>;
  /** Compiles a module and loads it, under a name that others may import. */
  load<T>(source: string, name?: string): Promise<T>;
  /** The errors of a compiler over the files; empty when all is well. */
  compile(compiler: Compiler, options: object, ...files: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** The repository's own TypeScript, and the one before it. */
export type Compiler = '7' | '5.9';

export async function openWorkbench(): Promise<Workbench> {
  const path = await mkdtemp(join(FOLDER, 'generated-'));
  let loaded = 0;
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(path, name), text);
    return join(path, name);
  };
  return {
    path,
    write,
    async load<T>(source: string, name?: string) {
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      loaded += 1;
      const file = await write(name ?? `client-${loaded}.js`, outputText);
      return (await import(pathToFileURL(file).href)) as T; // the caller knows what it generated
    },
    async compile(compiler, options, ...files) {
      const compilerOptions = { ...STRICT, ...options };
      const project = await write(`tsconfig-${compiler}.json`, JSON.stringify({ compilerOptions, files }));
      const child = spawn(process.execPath, [await compilerPath(compiler), '-p', project], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (part: Buffer) => (said += part.toString('utf8')));
      const code = await new Promise((resolve) => child.on('close', resolve));
      return code === 0 ? said : said || `ended with ${String(code)}`;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** As strict as projects come. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true,
  module: 'NodeNext',
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
  types: [],
  noEmit: true,
};

async function compilerPath(compiler: Compiler): Promise<string> {
  // From the folder of these tests it is 5.9, from that of the repository 7.
  const from = compiler === '5.9' ? import.meta.url : new URL('../../../../package.json', import.meta.url);
  const path = createRequire(from).resolve('typescript/package.json');
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
  if (!version.startsWith(`${compiler}.`))
    throw new Error(`TypeScript ${compiler} is not there, but ${version}`);
  return join(path, '..', 'bin', 'tsc');
}
