import type { FileGraph, GraphSymbol } from '../model.js';
import { filePart, symbolId, type FilePart } from './file-part.js';
import { IdTable } from './id-table.js';
import { groupBy, layOut, offsets, type Rows } from './rows.js';

const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method']);
const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'type', 'enum']);
const NODE_BYTES = 4 * 4;
/** A number in the row of ids, and the place of an id in its table. */
const ID_BYTES = 12;
/** Ids of former symbols that a table may hold, besides as many as there are symbols. */
const MAX_SPARE_IDS = 10_000;
const EDGE_BYTES = 5 * 4 + 3 + 2 * 2;

/**
 * The graph of a project. A node is a number: the symbols of all files, in order of path, then of source. The graph never
 * changes; {@link replace} makes the next one.
 */
export class ProjectGraph {
  /** In order of path. */
  readonly parts: readonly FilePart[];
  /** The first node of each part, which is its module; then the number of nodes. */
  readonly starts: Int32Array;
  /** Index in `parts`, per node. */
  readonly partOf: Int32Array;
  /** The symbol around each node; -1 for the modules of files. */
  readonly parents: Int32Array;
  readonly rows: Rows;
  /** Estimate of the memory that it holds, parts included. */
  readonly bytes: number;

  readonly #table: IdTable;
  /** The node of each number of an id; -1: none. */
  readonly #nodeOfId: Int32Array;
  #names: ReadonlyMap<string, readonly number[]> | undefined;
  #children: { readonly starts: Int32Array; readonly nodes: Int32Array } | undefined;

  static from(files: Iterable<FileGraph>): ProjectGraph {
    const table = new IdTable();
    return new ProjectGraph(
      Array.from(files, (file) => filePart(file, table)),
      table,
    );
  }

  /** The graph after some files were written (added or changed) or removed. The parts of all others are shared. */
  replace(written: Iterable<FileGraph>, removed: Iterable<string> = []): ProjectGraph {
    const table = this.parts.length > 0 ? this.#table : new IdTable(); // the empty graph begins many projects
    const parts = new Map(this.parts.map((part) => [part.path, part]));
    for (const path of removed) parts.delete(path);
    for (const file of written) parts.set(file.path, filePart(file, table));
    if (table.size <= 2 * this.size + MAX_SPARE_IDS) return new ProjectGraph([...parts.values()], table);
    const fresh = new IdTable(); // most ids are of symbols that are gone
    const renumbered = Array.from(parts.values(), (part) => ({
      ...part,
      ids: table.translate(part.ids, fresh),
      targets: table.translate(part.targets, fresh),
    }));
    return new ProjectGraph(renumbered, fresh);
  }

  private constructor(parts: FilePart[], table: IdTable) {
    this.parts = parts.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.starts = new Int32Array(parts.length + 1);
    for (const [index, part] of parts.entries())
      this.starts[index + 1] = this.starts[index]! + part.symbols.length;
    this.partOf = new Int32Array(this.size);
    this.parents = new Int32Array(this.size);
    this.#table = table;
    this.#nodeOfId = new Int32Array(table.size).fill(-1);
    for (const [index, { ids, parents }] of parts.entries()) {
      const start = this.starts[index]!;
      for (let i = 0; i < ids.length; i++) {
        const parent = parents[i]!;
        this.partOf[start + i] = index;
        this.parents[start + i] = parent < 0 ? -1 : start + parent;
        this.#nodeOfId[ids[i]!] = start + i;
      }
    }
    this.rows = layOut(parts, this.starts, this.#nodeOfId, this.size);
    this.bytes =
      parts.reduce((sum, part) => sum + part.bytes, 0) +
      table.size * ID_BYTES +
      this.size * NODE_BYTES +
      this.rows.targets.length * EDGE_BYTES;
  }

  /** Number of nodes. */
  get size(): number {
    return this.starts[this.parts.length]!;
  }

  /** The node of an id: `path`, `path#Qualified.name`. */
  node(id: string): number | undefined {
    const number = this.#table.find(id);
    const node = number === undefined ? -1 : (this.#nodeOfId[number] ?? -1); // the table may be ahead of this graph
    return node < 0 ? undefined : node;
  }

  part(node: number): FilePart {
    return this.parts[this.partOf[node]!]!;
  }

  /** Index of a node in the symbols of its file; 0 is the module. */
  indexInFile(node: number): number {
    return node - this.starts[this.partOf[node]!]!;
  }

  symbol(node: number): GraphSymbol {
    return this.part(node).symbols[this.indexInFile(node)]!;
  }

  id(node: number): string {
    return symbolId(this.path(node), this.indexInFile(node), this.symbol(node).qualifiedName);
  }

  path(node: number): string {
    return this.part(node).path;
  }

  /** The module of the file that a node is in. */
  moduleOf(node: number): number {
    return this.starts[this.partOf[node]!]!;
  }

  /** Nodes by name, in their order. */
  names(): ReadonlyMap<string, readonly number[]> {
    if (!this.#names) {
      const names = new Map<string, number[]>();
      for (const [index, part] of this.parts.entries()) {
        for (const [i, { name }] of part.symbols.entries()) {
          const nodes = names.get(name);
          if (nodes) nodes.push(this.starts[index]! + i);
          else names.set(name, [this.starts[index]! + i]);
        }
      }
      this.#names = names;
    }
    return this.#names;
  }

  /** Files at a path, else those whose paths end with it, with or without their extension: indexes in `parts`. */
  filesAt(path: string): number[] {
    const exact = this.node(path);
    if (exact !== undefined && this.isModule(exact)) return [this.partOf[exact]!];
    const end = `/${path}`;
    return this.parts.flatMap((part, index) => {
      const known = `/${part.path}`;
      return known.endsWith(end) || known.replace(/\.[^./]+$/, '').endsWith(end) ? [index] : [];
    });
  }

  isModule(node: number): boolean {
    return this.moduleOf(node) === node;
  }

  /** The symbols directly inside a node, in source order. */
  children(node: number): Int32Array {
    if (!this.#children) {
      const around = this.parents.map((parent) => (parent < 0 ? this.size : parent));
      const starts = offsets(around, this.size + 1);
      this.#children = { starts, nodes: groupBy(around, starts) };
    }
    const { starts, nodes } = this.#children;
    return nodes.subarray(starts[node], starts[node + 1]);
  }

  /** A node and all symbols inside it; for a type also its methods that are declared outside it. */
  contents(node: number): number[] {
    const found = [node];
    for (const inside of found) for (const child of this.children(inside)) found.push(child);
    const { kind, qualifiedName } = this.symbol(node);
    if (!TYPES.has(kind)) return found;
    const known = new Set(found);
    for (const part of this.#declaringFiles(node)) {
      const start = this.starts[part]!;
      for (const [index, symbol] of this.parts[part]!.symbols.entries())
        if (!known.has(start + index) && symbol.qualifiedName.startsWith(`${qualifiedName}.`))
          found.push(start + index);
    }
    return found;
  }

  /** What a use of a node uses: of a function this alone, as what it passes on or returns is used apart; else its contents. */
  usable(node: number): number[] {
    return FUNCTIONS.has(this.symbol(node).kind) ? [node] : this.contents(node);
  }

  /** The files that may declare methods of a type: its own; of Go all files of its package. */
  #declaringFiles(node: number): number[] {
    const own = this.partOf[node]!;
    const { language, path } = this.parts[own]!;
    if (language !== 'go') return [own];
    const directory = path.slice(0, path.lastIndexOf('/') + 1);
    const isSibling = (other: string) =>
      other.startsWith(directory) && !other.includes('/', directory.length);
    return this.parts.flatMap((part, index) =>
      part.language === 'go' && isSibling(part.path) ? [index] : [],
    );
  }
}
