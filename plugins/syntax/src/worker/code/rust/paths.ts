import type { Expression } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { BLANK, type Context } from './context.js';

/** One name of a path. */
interface Segment {
  readonly text: string;
  readonly node: SyntaxNode;
}

const PATHS = new Set(['scoped_identifier', 'scoped_type_identifier']);

/** The names of a path, without type arguments: `a`, `b`, `C` of `a::b::C<T>`. */
export function segments(node: SyntaxNode, context: Context): Segment[] {
  if (PATHS.has(node.type)) {
    const path = child(node, 'path');
    const name = child(node, 'name');
    return [...(path ? segments(path, context) : []), ...(name ? segments(name, context) : [])];
  }
  if (['generic_type', 'generic_type_with_turbofish'].includes(node.type)) {
    const inner = child(node, 'type');
    return inner ? segments(inner, context) : [];
  }
  if (node.type === 'bracketed_type') {
    const [inner] = named(node);
    return inner ? segments(inner, context) : [];
  }
  // Of a type and a trait the type has the member, unless the type is a parameter.
  if (node.type === 'qualified_type') {
    const type = child(node, 'type');
    const alias = child(node, 'alias');
    const parameter = type && context.typeParameters.has(context.lowering.textOf(type));
    const chosen = parameter ? alias : type;
    return chosen ? segments(chosen, context) : [];
  }
  if (['reference_type', 'dynamic_type', 'pointer_type'].includes(node.type)) {
    const inner = child(node, 'type') ?? child(node, 'trait');
    return inner ? segments(inner, context) : [];
  }
  return [{ text: context.lowering.textOf(node), node }];
}

/**
 * A path as the module of the file sees it: `super` and `self` of an inline module become the names of modules of
 * this file.
 */
export function fromFile(names: readonly string[], context: Context): string[] {
  const [first = ''] = names;
  const { modules, declared } = context;
  let supers = 0;
  while (names[supers] === 'super') supers += 1;
  if (supers > 0) {
    const rest = names.slice(supers);
    if (supers <= modules.length) return ['self', ...modules.slice(0, modules.length - supers), ...rest];
    return [...names.slice(0, supers - modules.length), ...rest];
  }
  if (first === 'self') return ['self', ...modules, ...names.slice(1)];
  if (declared.has(first)) return ['self', ...modules, ...names];
  return [...names];
}

/** A path as a value: `x`, `Self::new`, `crate::store::Store`. */
export function pathExpression(node: SyntaxNode, context: Context): Expression {
  const parts = segments(node, context);
  const [first] = parts;
  if (!first) return BLANK;
  const { lowering, locals, typeParameters } = context;
  const root = (text: string, at: SyntaxNode): Expression => ({
    kind: 'name',
    name: text,
    ...lowering.at(at),
  });
  const members = (object: Expression, rest: readonly Segment[]): Expression =>
    rest.reduce<Expression>(
      (inner, { text, node: at }) => ({ kind: 'member', object: inner, name: text, ...lowering.at(at) }),
      object,
    );
  if (parts.length === 1) {
    if (first.text === 'self') return { kind: 'this', line: lowering.at(first.node).line };
    const local = locals.find(first.text);
    if (local !== undefined) return root(local, first.node);
    if (first.text === 'None') return members(root('Option', first.node), parts);
  }
  if (first.text === 'Self' && context.self && !typeParameters.has('Self')) {
    const type = segments(context.self, { ...context, typeParameters: new Set() });
    const [own] = type;
    if (own) return members(typeValue(own, context), [...type.slice(1), ...parts.slice(1)]);
  }
  if (typeParameters.has(first.text)) return members(typeValue(first, context), parts.slice(1));
  if (!['self', 'super'].includes(first.text)) return members(root(first.text, first.node), parts.slice(1));
  const names = fromFile(
    parts.map(({ text }) => text),
    context,
  );
  const kept = names.length - parts.length;
  // The names before the path's own are those of modules of this file.
  const placed = names.map((text, index): Segment => ({
    text,
    node: parts[index - kept]?.node ?? first.node,
  }));
  const [start = first, ...rest] = placed;
  return members(root(start.text, start.node), rest);
}

/** A type as the object of a path. A parameter has the members of its bounds. */
function typeValue({ text, node }: Segment, context: Context): Expression {
  const place = context.lowering.at(node);
  if (!context.typeParameters.has(text)) return { kind: 'name', name: text, ...place };
  const type =
    text === 'Self' ? ({ kind: 'self' } as const) : ({ kind: 'named', path: [text], ...place } as const);
  return { kind: 'cast', value: BLANK, type };
}
