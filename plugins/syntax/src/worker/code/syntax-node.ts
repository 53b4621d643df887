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

/** A node without children, in place of one that a construct lacks. */
export const NO_NODE: SyntaxNode = {
  type: '',
  field: null,
  named: false,
  comment: false,
  start: 0,
  end: 0,
  children: [],
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
