import type { Language, Tree } from 'web-tree-sitter';
import { CHECK_EVERY, cut, MAX_DEPTH, nodeMaker, type ReadTree } from './node-types.js';
import type { SyntaxNode } from './syntax-node.js';

/** A reader of whole trees by the cursor of web-tree-sitter, which calls into WASM several times for each node. */
export function createCursorReader(language: Language) {
  const makeNode = nodeMaker(language);
  return (tree: Tree, expired: () => boolean): ReadTree => {
    const cursor = tree.walk();
    let complete = true;
    let count = 0;
    const read = (depth: number): SyntaxNode => {
      count += 1;
      if (count % CHECK_EVERY === 0 && expired()) complete = false;
      const { nodeTypeId, currentFieldId, startIndex, endIndex } = cursor;
      const node = makeNode(nodeTypeId, currentFieldId, startIndex, endIndex);
      if (!cursor.gotoFirstChild()) return node;
      if (depth >= MAX_DEPTH || (!complete && expired())) {
        cursor.gotoParent();
        complete = false;
        return cut(node);
      }
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
  };
}
