import type { Language, Tree } from 'web-tree-sitter';

/** A node of a syntax tree, copied out of WASM: copying the whole tree at once is faster than reading single nodes. */
export interface SyntaxNode {
  /** As in the grammar's node-types.json; the text of anonymous nodes: `async`, `&&`. */
  readonly type: string;
  readonly field: string | null;
  /** False for keywords and punctuation. */
  readonly named: boolean;
  readonly comment: boolean;
  /** UTF-16 offset. */
  readonly start: number;
  /** UTF-16 offset, exclusive. */
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** Nodes below this depth are dropped: only hostile and generated texts are deeper, and readers recurse. */
const MAX_DEPTH = 400;
/** Nodes between two checks of the time limit. */
const CHECK_EVERY = 4096;

const LEAF: readonly SyntaxNode[] = [];

/** Properties of the node types of a language, by their ids. */
interface NodeTypes {
  readonly named: readonly boolean[];
  readonly comment: readonly boolean[];
}

const nodeTypes = new WeakMap<Language, NodeTypes>();

function nodeTypesOf(language: Language): NodeTypes {
  const known = nodeTypes.get(language);
  if (known) return known;
  const found = {
    named: language.types.map((_, id) => language.nodeTypeIsNamed(id)),
    comment: language.types.map((type) => type.endsWith('comment')),
  };
  nodeTypes.set(language, found);
  return found;
}

/** Reads a whole tree. `complete` is false where nodes were dropped, because of their depth or because `expired` turned true. */
export function readTree(tree: Tree, expired: () => boolean): { root: SyntaxNode; complete: boolean } {
  const cursor = tree.walk();
  const { types, fields } = tree.language;
  const { named: isNamed, comment: isComment } = nodeTypesOf(tree.language);
  let complete = true;
  let count = 0;
  const read = (depth: number): SyntaxNode => {
    count += 1;
    if (count % CHECK_EVERY === 0 && expired()) complete = false;
    const { nodeTypeId: id, currentFieldId: field, startIndex: start, endIndex: end } = cursor;
    const type = types[id] ?? 'ERROR';
    const node = {
      type,
      field: fields[field] ?? null,
      named: isNamed[id] ?? true,
      comment: isComment[id] ?? false,
      start,
      end,
      children: LEAF,
    };
    if (depth >= MAX_DEPTH) {
      if (cursor.gotoFirstChild()) {
        cursor.gotoParent();
        complete = false;
      }
      return node;
    }
    if ((!complete && expired()) || !cursor.gotoFirstChild()) return node;
    const children: SyntaxNode[] = [];
    do children.push(read(depth + 1));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
    node.children = children;
    return node;
  };
  try {
    return { root: read(0), complete };
  } finally {
    cursor.delete();
  }
}

/** A node without children, in place of one that a construct lacks. */
export const NO_NODE: SyntaxNode = {
  type: '',
  field: null,
  named: false,
  comment: false,
  start: 0,
  end: 0,
  children: LEAF,
};

/** The child with a field name. */
export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((each) => each.field === field);
}

/** The named children with a field name. */
export function childrenIn(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((each) => each.field === field && each.named);
}

/** The named children, without comments. */
export function named(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((each) => each.named && !each.comment);
}

/** The first child of a type. */
export function ofType(node: SyntaxNode, ...types: readonly string[]): SyntaxNode | undefined {
  return node.children.find((each) => types.includes(each.type));
}
