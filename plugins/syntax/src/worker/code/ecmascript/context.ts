import type { Call, Code, Expression, Import, Literal, Statement, Type } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import type { Constants } from './constants.js';

/** A TypeScript or JavaScript file that is being lowered. The files of this folder call each other through it. */
export interface Context {
  readonly lowering: Lowering;
  /** TypeScript, where functions may test for types. */
  readonly typed: boolean;
  readonly exported: ExportedNames;
  /** See `constantsOf`. */
  readonly constants: Constants;
  readonly testCases: NonNullable<Code['testCases']>[number][];
  /** Of the modules that types name in place, as `import('./a').B`, by the names that stand for them. */
  readonly typeImports: Map<string, Import>;
  readonly statement: (node: SyntaxNode) => Statement[];
  /** Lowers a list of statements: conditions narrow the types of names for later statements. */
  readonly statements: (nodes: readonly SyntaxNode[]) => Statement[];
  readonly expression: (node: SyntaxNode) => Expression;
  /** An expression that is assigned to a name: a function or class in it is the symbol of that name. */
  readonly value: (node: SyntaxNode, name: SyntaxNode) => Expression;
  readonly type: (node: SyntaxNode) => Type;
}

/** Names of the file's scope and symbols that other files can use. */
export interface ExportedNames {
  readonly names: Set<string>;
  readonly symbols: Set<number>;
}

export function stringLiteral(text: string): Expression {
  return text.length > 100 ? { kind: 'literal', type: 'string' } : { kind: 'literal', type: 'string', text };
}

/** The text of a `string` node, without quotes and with its escapes as written. */
export function stringText(node: SyntaxNode, { lowering }: Context): string {
  return lowering.source.slice(node.start + 1, Math.max(node.start + 1, node.end - 1));
}

/** The key that a string is, or a constant that holds one or a symbol: `[Symbol.iterator]`. */
export function constantText(node: SyntaxNode | undefined, context: Context): string | undefined {
  if (node && isPlainText(node)) return stringText(node, context);
  const isName = node?.type === 'identifier' || node?.type === 'member_expression';
  if (!isName || context.constants.hidden.has(node.start)) return undefined;
  const text = context.lowering.textOf(node);
  return /^Symbol\.\w+$/.test(text) ? `[${text}]` : context.constants.values.get(text);
}

/** A string, or a template without parts that are computed. */
export function isPlainText(node: SyntaxNode): boolean {
  if (node.type === 'string') return true;
  return node.type === 'template_string' && !ofType(node, 'template_substitution');
}

/**
 * Name of a property or member: `a`, `#a`, `'a'`, `1`, `['a']`, and `[NAME]` of a constant; `[Symbol.iterator]` as it is
 * written.
 */
export function propertyName(node: SyntaxNode, context: Context): string {
  if (node.type === 'string') return stringText(node, context);
  if (node.type !== 'computed_property_name') return context.lowering.textOf(node);
  return constantText(named(node)[0], context) ?? context.lowering.textOf(node).slice(0, 256);
}

/** The module of `require('x')`, `import('x')`. */
export function moduleOf(node: SyntaxNode, context: Context): SyntaxNode | undefined {
  const callee = child(node, 'function');
  if (node.type !== 'call_expression' || !callee) return undefined;
  const loads =
    callee.type === 'import' ||
    (callee.type === 'identifier' && context.lowering.textOf(callee) === 'require');
  const list = child(node, 'arguments');
  const module = loads && list?.type === 'arguments' ? named(list)[0] : undefined;
  return module && isPlainText(module) ? module : undefined;
}

/** The expression inside parentheses. */
export function withoutParentheses(node: SyntaxNode): SyntaxNode {
  let inner = node;
  while (inner.type === 'parenthesized_expression') {
    const next = named(inner)[0];
    if (!next) break;
    inner = next;
  }
  return inner;
}

/** True when the node has this token: `static`, `async`, `declare`, `?`, `*`. */
export function hasToken(node: SyntaxNode, token: string): boolean {
  return node.children.some(({ type, named: isNamed }) => !isNamed && type === token);
}

export function call(
  callee: Expression,
  values: readonly Expression[],
  at: Pick<Call, 'start' | 'line'>,
): Call {
  return { kind: 'call', callee, arguments: values.map((value) => ({ value })), ...at };
}

export function expressionOf(node: SyntaxNode | undefined, context: Context): Expression {
  return node ? context.expression(node) : UNKNOWN;
}

/** An operation over some parts, whose result has a plain type. */
export function operation(of: readonly Expression[], type?: Literal['type']): Expression {
  return { kind: 'operation', of, ...(type && { type }) };
}
