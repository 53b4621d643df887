import type { Language, Tree } from 'web-tree-sitter';
import { CHECK_EVERY, cut, MAX_DEPTH, nodeMaker, type ReadTree } from './node-types.js';
import type { SyntaxNode } from './syntax-node.js';

/** Hidden nodes inside each other; tree-sitter balances its lists, so that they stay near ten. */
const MAX_HIDDEN_DEPTH = 200;
/** Symbols of errors, which the table of public symbols does not have. */
const FIRST_ERROR_SYMBOL = 65_534;

/** Byte offsets in the structures of tree-sitter (`tree.c`, `subtree.h`, `parser.h`; 32-bit, little-endian). */
const TREE = { language: 8 };
const LANGUAGE = { maxAliases: 36, fieldSlices: 64, fieldEntries: 68, publicSymbols: 76, aliases: 84 };
/** A subtree is 8 bytes: itself, where its lowest bit is set, or the address of a larger one. */
const SUBTREE_BYTES = 8;
const INLINE = { padding: 6, size: 7 };
const HEAP = {
  padding: 4,
  size: 16,
  children: 36,
  symbol: 40,
  flags: 44,
  visibleChildren: 48,
  production: 66,
};

/** Flags of a subtree. */
const VISIBLE = 1;
const EXTRA = 4;

/** A memory that grows: its buffer is another one then. */
export interface GrowingMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * A reader of whole trees from the memory of web-tree-sitter, four times as fast as its cursor: it holds what it needs in
 * variables, since it makes millions of nodes. The layout is not a public interface: `grammars.ts` compares both
 * readers on a sample of each language, and uses the cursor where they differ.
 */
export function createMemoryReader(memory: GrowingMemory, language: Language) {
  const makeNode = nodeMaker(language);
  let bytes = new Uint8Array(memory.buffer);
  let shorts = new Uint16Array(memory.buffer);
  let words = new Uint32Array(memory.buffer);
  let facts = { maxAliases: 0, fieldSlices: 0, fieldEntries: 0, publicSymbols: 0, aliases: 0 };
  let isExpired = () => false;
  let complete = true;
  let count = 0;

  function followGrowth(): void {
    if (bytes.buffer === memory.buffer) return;
    bytes = new Uint8Array(memory.buffer);
    shorts = new Uint16Array(memory.buffer);
    words = new Uint32Array(memory.buffer);
  }

  const publicSymbol = (symbol: number): number =>
    symbol >= FIRST_ERROR_SYMBOL ? symbol : shorts[(facts.publicSymbols >> 1) + symbol]!;

  /** The node of a subtree; `subtree` is its address where it can have children, else 0. */
  function visible(
    id: number,
    field: number,
    start: number,
    end: number,
    subtree: number,
    depth: number,
  ): SyntaxNode {
    const node = makeNode(id, field, start / 2, end / 2);
    count += 1;
    if (count % CHECK_EVERY === 0 && isExpired()) complete = false;
    if (subtree === 0 || words[(subtree + HEAP.visibleChildren) >> 2] === 0) return node;
    if (depth >= MAX_DEPTH || (!complete && isExpired())) {
      complete = false;
      return cut(node);
    }
    const children: SyntaxNode[] = [];
    addChildren(children, subtree, start, depth, 0, 0);
    node.children = children;
    return node;
  }

  /**
   * Appends the visible nodes of a subtree, which begins at `start` (in bytes of UTF-16). Those of a hidden child, which
   * is not in the tree that others see, stand in its place and have its field unless they have one of their own.
   */
  function addChildren(
    nodes: SyntaxNode[],
    parent: number,
    start: number,
    depth: number,
    hiddenDepth: number,
    outerField: number,
  ): void {
    const end = parent;
    const production = shorts[(parent + HEAP.production) >> 1]!;
    const aliases = production === 0 ? 0 : (facts.aliases >> 1) + production * facts.maxAliases;
    // An entry is the field, the index of the child, and whether it is inherited from inside the child.
    const slice = (facts.fieldSlices + 4 * production) >> 1;
    const firstField = facts.fieldEntries + 4 * shorts[slice]!;
    const endOfFields = firstField + 4 * shorts[slice + 1]!;
    let position = start;
    let index = 0; // extras, such as comments, have none
    const first = end - SUBTREE_BYTES * words[(parent + HEAP.children) >> 2]!;
    for (let at = first; at < end; at += SUBTREE_BYTES) {
      const word = words[at >> 2]!;
      const isInline = (word & 1) === 1;
      const flags = isInline ? word >> 1 : shorts[(word + HEAP.flags) >> 1]!;
      const size = isInline ? bytes[at + INLINE.size]! : words[(word + HEAP.size) >> 2]!;
      if (at > first) position += isInline ? bytes[at + INLINE.padding]! : words[(word + HEAP.padding) >> 2]!;
      let alias = 0;
      let field = 0;
      if ((flags & EXTRA) === 0) {
        if (aliases !== 0) alias = shorts[aliases + index]!;
        for (let entry = firstField; entry < endOfFields; entry += 4)
          if (bytes[entry + 2] === index && bytes[entry + 3] === 0) {
            field = shorts[entry >> 1]!;
            break;
          }
        if (field === 0) field = outerField;
        index++;
      }
      const subtree = isInline || words[(word + HEAP.children) >> 2] === 0 ? 0 : word;
      if ((flags & VISIBLE) !== 0 || alias !== 0) {
        const symbol = isInline ? (word >> 8) & 0xff : shorts[(word + HEAP.symbol) >> 1]!;
        const id = publicSymbol(alias || symbol);
        nodes.push(visible(id, field, position, position + size, subtree, depth + 1));
      } else if (subtree !== 0) {
        if (hiddenDepth < MAX_HIDDEN_DEPTH)
          addChildren(nodes, subtree, position, depth, hiddenDepth + 1, field);
        else complete = false;
      }
      position += size;
    }
  }

  return (tree: Tree, expired: () => boolean): ReadTree => {
    followGrowth();
    const address = tree.rootNode.id; // a tree begins with its root
    const at = words[(address + TREE.language) >> 2]!;
    facts = {
      maxAliases: shorts[(at + LANGUAGE.maxAliases) >> 1]!,
      fieldSlices: words[(at + LANGUAGE.fieldSlices) >> 2]!,
      fieldEntries: words[(at + LANGUAGE.fieldEntries) >> 2]!,
      publicSymbols: words[(at + LANGUAGE.publicSymbols) >> 2]!,
      aliases: words[(at + LANGUAGE.aliases) >> 2]!,
    };
    isExpired = expired;
    complete = true;
    count = 0;
    const { typeId, startIndex, endIndex } = tree.rootNode;
    const word = words[address >> 2]!;
    const subtree = (word & 1) === 1 || words[(word + HEAP.children) >> 2] === 0 ? 0 : word;
    const root = visible(typeId, 0, 2 * startIndex, 2 * endIndex, subtree, 0);
    return { root, complete };
  };
}
