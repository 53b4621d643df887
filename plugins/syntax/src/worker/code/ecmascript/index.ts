import type { Statement } from '../../../code.js';
import type { SourceSymbol } from '../../../contract.js';
import type { Lower, Lowering } from '../lowering.js';
import { named, type SyntaxNode } from '../syntax-node.js';
import { constantsOf } from './constants.js';
import { operation, type Context, type ExportedNames } from './context.js';
import { EXPRESSIONS, namedValue } from './expressions.js';
import { jsx } from './jsx.js';
import { withPrecedence } from './precedence.js';
import { STATEMENTS, statementsOf } from './statements.js';
import { TYPES } from './types.js';

/** Lowers TypeScript, TSX and JavaScript. */
export const lower: Lower = (root, lowering) => {
  const context = contextOf(lowering, constantsOf(root, lowering));
  const statements = context.statements(named(root));
  const body = [...referencePaths(root, lowering), ...context.typeImports.values(), ...statements];
  markDefinitions(lowering, context.exported);
  const { testCases } = context;
  return {
    body,
    ...(testCases.length > 0 && { testCases: testCases.toSorted((a, b) => a.start - b.start) }),
  };
};

/** `/// <reference path="./a.d.ts" />` before the first statement. */
function referencePaths(root: SyntaxNode, lowering: Lowering): Statement[] {
  const first = root.children.findIndex(({ type }) => type !== 'comment');
  const comments = first < 0 ? root.children : root.children.slice(0, first);
  return comments.flatMap((each): Statement[] => {
    const path = /^\/\/\/\s*<reference\s+path\s*=\s*["']([^"']+)["']/.exec(lowering.textOf(each))?.[1];
    if (path === undefined) return [];
    const module = path.startsWith('.') ? path : `./${path}`;
    return [{ kind: 'import', module, form: 'load', typeOnly: true, ...lowering.at(each) }];
  });
}

function contextOf(lowering: Lowering, constants: Context['constants']): Context {
  const context: Context = {
    lowering,
    typed: /\.[cm]?tsx?$/i.test(lowering.path),
    exported: { names: new Set(), symbols: new Set() },
    constants,
    testCases: [],
    typeImports: new Map(),
    statement: (node): Statement[] => {
      const rule = STATEMENTS.get(node.type);
      if (rule) return rule(node, context);
      const value = context.expression(node);
      return value.kind === 'literal' ? [] : [{ kind: 'evaluate', value }];
    },
    statements: (nodes) => statementsOf(nodes, context),
    expression: (written) => {
      const node = withPrecedence(written);
      const rule = EXPRESSIONS.get(node.type);
      if (rule) return rule(node, context);
      return isJsx(node) ? jsx(node, context) : operation(named(node).map(context.expression));
    },
    value: (node, name) => namedValue(node, name, context),
    type: (node) => TYPES.get(node.type)?.(node, context) ?? { kind: 'other' },
  };
  return context;
}

function isJsx({ type }: SyntaxNode): boolean {
  return type === 'jsx_element' || type === 'jsx_self_closing_element' || type === 'jsx_fragment';
}

/** Members are exported with their container, unless they are private. */
function markDefinitions(lowering: Lowering, { names, symbols }: ExportedNames): void {
  for (const [index, symbol] of lowering.symbols.entries()) {
    const parent = symbol.parent === null ? undefined : lowering.symbols[symbol.parent];
    const marked = symbols.has(index);
    const exported = parent
      ? lowering.definitions[symbol.parent ?? 0]?.exported === true &&
        (marked || isPublicMember(symbol, parent))
      : marked || names.has(symbol.qualifiedName.replace(/[.~].*/s, ''));
    if (exported) lowering.define(index, { exported });
  }
}

function isPublicMember({ kind, name, signature }: SourceSymbol, parent: SourceSymbol): boolean {
  if (name.startsWith('#') || /^(?:\w+ )*private /.test(signature)) return false;
  if (parent.kind === 'module') return /^['"]/.test(parent.signature.replace(/^.*?\bmodule\s+/s, ''));
  return kind === 'method';
}
