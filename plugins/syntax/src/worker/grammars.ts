import { createRequire } from 'node:module';
import { Language, Parser, Query } from 'web-tree-sitter';
import { GRAMMARS } from '../grammars/index.js';

export interface Loaded {
  readonly parser: Parser;
  readonly query: Query;
}

const loaded = new Map<string, Promise<Loaded>>();
let ready: Promise<void> | undefined;

// Neither the ES2023 library nor Node's types declare what is used of it.
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Pages of 64 KiB. An over-large text aborts at 512 MiB, far below the 2 GiB that the engine would take. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 8192 });
/** Memory never shrinks: beyond 192 MiB a thread is better replaced. */
const LARGE = 192 * 1024 * 1024;

/** Has a text stretched this thread's memory so far that it should end? */
export function memoryIsLarge(): boolean {
  return memory.buffer.byteLength > LARGE;
}

/** The parser and query of a grammar, loaded once a thread. Rejects where the grammar cannot be loaded. */
export function grammar(id: string): Promise<Loaded> {
  const existing = loaded.get(id);
  if (existing) return existing;
  const loading = load(id);
  loaded.set(id, loading);
  return loading;
}

async function load(id: string): Promise<Loaded> {
  const source = GRAMMARS.get(id);
  if (!source) throw new Error(`There is no grammar ${id}.`);
  // An abort of the WASM heap is thrown: what it prints besides says nothing more.
  await (ready ??= Parser.init({ wasmMemory: memory, printErr: () => {} }));
  const resolve = createRequire(import.meta.url).resolve;
  const language = await Language.load(resolve(`@repomix/tree-sitter-wasms/out/${source.wasm}`));
  const parser = new Parser();
  parser.setLanguage(language);
  const query = new Query(language, source.query);
  const tree = parser.parse(source.sample);
  if (!tree) throw new Error(`The grammar ${id} gives no tree.`);
  query.matches(tree.rootNode);
  tree.delete();
  return { parser, query };
}
