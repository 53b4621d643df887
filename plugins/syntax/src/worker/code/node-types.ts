import type { Language } from 'web-tree-sitter';
import type { SyntaxNode } from './syntax-node.js';

/** A syntax tree out of WASM. `complete` is false where nodes were dropped. */
export interface ReadTree {
  readonly root: SyntaxNode;
  readonly complete: boolean;
}

/** Nodes below this depth are dropped: only hostile and generated texts are deeper, and readers recurse. */
export const MAX_DEPTH = 400;
/** Nodes between two checks of the time limit. */
export const CHECK_EVERY = 4096;

const ERROR = 'ERROR';
const LEAF: readonly SyntaxNode[] = [];

/** A node whose children are still to be set. */
type OpenNode = { -readonly [Key in keyof SyntaxNode]: SyntaxNode[Key] };

/** A node whose children are dropped is an error: of a construct, parts would be missing that its grammar promises. */
export function cut(node: OpenNode): SyntaxNode {
  node.type = ERROR;
  return node;
}

/** Makes nodes of a language, without children, by the ids of their types and fields. */
export function nodeMaker(language: Language) {
  const { types, fields } = language;
  const named = types.map((_, id) => language.nodeTypeIsNamed(id));
  const comment = types.map((type) => type.endsWith('comment'));
  return (id: number, field: number, start: number, end: number): OpenNode => ({
    type: types[id] ?? ERROR,
    field: fields[field] ?? null,
    named: named[id] ?? true,
    comment: comment[id] ?? false,
    start,
    end,
    children: LEAF,
  });
}
