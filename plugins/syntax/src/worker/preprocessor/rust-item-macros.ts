import type { Node } from 'web-tree-sitter';
import type { Range } from '../mark-declarations.js';

/** Braces after a macro of Rust that hold items as the language has them: `cfg_io! { mod io; pub fn read() {} }`. */
const ITEMS =
  /^! {(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|#!?\[(?:[^\]"]|"(?:\\[^]|[^"\\])*")*\])*(?:pub|struct|enum|union|mod|use|fn|impl|trait|type|const|static|unsafe|async|extern|macro_rules)\b/;
const BODIES = new Set(['declaration_list']);
const CONTAINERS = new Set(['mod_item', 'impl_item', 'trait_item', 'foreign_mod_item']);
const MAX_DEPTH = 20;

/** The `{ … }`, with the space before it, of macros in the place of an item that hold items. */
export function itemMacros(root: Node, text: string): Range[] {
  if (!/\w! \{/.test(text)) return [];
  const found: Range[] = [];
  const visit = (parent: Node, depth: number): void => {
    for (const node of parent.namedChildren) {
      if (!node) continue;
      const body = CONTAINERS.has(node.type) ? node.childForFieldName('body') : null;
      if (body && BODIES.has(body.type) && depth < MAX_DEPTH) visit(body, depth + 1);
      const macro = node.type === 'expression_statement' ? node.namedChildren[0] : node;
      const tree = macro?.type === 'macro_invocation' ? macro.namedChildren.at(-1) : undefined;
      if (tree?.type !== 'token_tree') continue;
      const start = tree.startIndex - 1;
      if (ITEMS.test(text.slice(start - 1, tree.endIndex))) found.push({ start, end: tree.endIndex });
    }
  };
  visit(root, 0);
  return found;
}

/** The text with ` { items }` as `() items `: the macro is called beside its items. */
export function openMacros(text: string, ranges: readonly Range[]): string {
  let result = '';
  let done = 0;
  for (const { start, end } of ranges) {
    result += `${text.slice(done, start)}()${text.slice(start + 2, end - 1)} `;
    done = end;
  }
  return result + text.slice(done);
}
