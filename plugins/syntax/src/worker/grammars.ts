import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { Language, Parser, Query, type Tree } from 'web-tree-sitter';
import type { Grammar } from '../grammars/grammar.js';
import { GRAMMARS } from '../grammars/index.js';
import { createMemoryReader } from './code/memory-reader.js';
import { createCursorReader } from './code/cursor-reader.js';
import type { Lower } from './code/lowering.js';
import type { ReadTree } from './code/node-types.js';
import { quickenIntegers, type WasmModule } from './wasm-integers.js';

export interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
  /** Copies a tree out of WASM: reading it there node by node is slower. `expired` is asked now and then. */
  readonly readTree: (tree: Tree, expired: () => boolean) => ReadTree;
  readonly lower: Lower;
  readonly preprocess: NonNullable<Grammar['preprocess']>;
  readonly blankMisread: Grammar['blankMisread'];
  readonly itemMacros: Grammar['itemMacros'];
}

const loaded = new Map<string, Promise<Loaded>>();
let ready: Promise<void> | undefined;

// Neither the ES2023 library nor Node's types declare it.
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Pages of 64 KiB. Parsing aborts at 512 MiB, far below the engine's limit of 2 GiB. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 8192 });
/** WASM memory never shrinks: a thread with more than 192 MiB is replaced. */
const LARGE = 192 * 1024 * 1024;

/** True when the memory of this thread is so large that the thread should be replaced. */
export function memoryIsLarge(): boolean {
  return memory.buffer.byteLength > LARGE;
}

/** The parser, the queries and the lowering of a grammar, loaded once per thread. Rejects when the grammar cannot be loaded. */
export function grammar(id: string): Promise<Loaded> {
  const existing = loaded.get(id);
  if (existing) return existing;
  const loading = load(id);
  loaded.set(id, loading);
  return loading;
}

async function start(): Promise<void> {
  // An abort of the WASM heap is thrown; its printed message adds nothing.
  const module: WasmModule = { wasmMemory: memory, printErr: () => {} };
  await Parser.init(module);
  quickenIntegers(module);
}

async function load(id: string): Promise<Loaded> {
  const source = await GRAMMARS.get(id)?.();
  if (!source) throw new Error(`Grammar ${id} does not exist.`);
  await (ready ??= start());
  const resolve = createRequire(import.meta.url).resolve;
  const language = await Language.load(resolve(`@repomix/tree-sitter-wasms/out/${source.wasm}`));
  const parser = new Parser();
  parser.setLanguage(language);
  const query = new Query(language, source.query);
  const tree = parser.parse(source.sample);
  if (!tree) throw new Error(`The grammar ${id} gives no tree.`);
  query.matches(tree.rootNode);
  const readTree = readerOf(language, tree);
  tree.delete();
  const { lower, preprocess = [], blankMisread, itemMacros } = source;
  return { parser, query, readTree, lower, preprocess, blankMisread, itemMacros };
}

/** The reader of the memory, unless it reads the sample otherwise than the cursor: its layout may be another one then. */
function readerOf(language: Language, sample: Tree): Loaded['readTree'] {
  const ofMemory = createMemoryReader(memory, language);
  const byCursor = createCursorReader(language);
  const never = () => false;
  return isDeepStrictEqual(ofMemory(sample, never), byCursor(sample, never)) ? ofMemory : byCursor;
}
