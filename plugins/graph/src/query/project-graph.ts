import type { FileGraph, GraphSymbol } from '../model.js';
import { filePart, type FilePart } from './file-part.js';
import { layOut, type Rows } from './rows.js';

const NODE_BYTES = 4 * 4 + 64; // four rows of integers, and an entry in the map of ids
const EDGE_BYTES = 4 * 4 + 3;

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

  readonly #nodes = new Map<string, number>();

  static from(files: Iterable<FileGraph>): ProjectGraph {
    return new ProjectGraph(Array.from(files, filePart));
  }

  /** The graph after some files were written (added or changed) or removed. The parts of all others are shared. */
  replace(written: Iterable<FileGraph>, removed: Iterable<string> = []): ProjectGraph {
    const parts = new Map(this.parts.map((part) => [part.path, part]));
    for (const path of removed) parts.delete(path);
    for (const file of written) parts.set(file.path, filePart(file));
    return new ProjectGraph([...parts.values()]);
  }

  private constructor(parts: FilePart[]) {
    this.parts = parts.sort((a, b) => (a.path < b.path ? -1 : 1));
    this.starts = new Int32Array(parts.length + 1);
    for (const [index, part] of parts.entries())
      this.starts[index + 1] = this.starts[index]! + part.symbols.length;
    this.partOf = new Int32Array(this.size);
    this.parents = new Int32Array(this.size);
    for (const [index, part] of parts.entries()) {
      const start = this.starts[index]!;
      this.partOf.fill(index, start, start + part.symbols.length);
      for (const [i, { parent }] of part.symbols.entries()) {
        this.parents[start + i] = i === 0 ? -1 : start + (parent ?? 0);
        this.#nodes.set(part.ids[i]!, start + i);
      }
    }
    this.rows = layOut(parts, this.starts, this.size, (id) => this.#nodes.get(id));
    this.bytes =
      parts.reduce((sum, part) => sum + part.bytes, 0) +
      this.size * NODE_BYTES +
      this.rows.targets.length * EDGE_BYTES;
  }

  /** Number of nodes. */
  get size(): number {
    return this.starts[this.parts.length]!;
  }

  /** The node of an id: `path`, `path#Qualified.name`. */
  node(id: string): number | undefined {
    return this.#nodes.get(id);
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
    return this.part(node).ids[this.indexInFile(node)]!;
  }

  path(node: number): string {
    return this.part(node).path;
  }

  /** The module of the file that a node is in. */
  moduleOf(node: number): number {
    return this.starts[this.partOf[node]!]!;
  }
}
