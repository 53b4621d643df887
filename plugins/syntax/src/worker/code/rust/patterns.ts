import type { Expression, Statement, Type } from '../../../code.js';
import { child, type SyntaxNode } from '../syntax-node.js';
import { evaluate } from '../values.js';
import { BLANK, items, type Context } from './context.js';
import { pathExpression, segments } from './paths.js';
import { typeOf } from './types.js';

/** Patterns around another one that change nothing for its names. */
const TRANSPARENT = new Set([
  'mut_pattern',
  'ref_pattern',
  'reference_pattern',
  'box_pattern',
  'match_pattern',
]);

/** A variable that a pattern declares. A name with a capital is a constant or a variant. */
function isVariable(node: SyntaxNode, context: Context): boolean {
  return ['identifier', 'shorthand_field_identifier'].includes(node.type) && !isConstant(node, context);
}

function isConstant(node: SyntaxNode, context: Context): boolean {
  return /^\p{Lu}/u.test(context.lowering.textOf(node));
}

function inner(node: SyntaxNode): SyntaxNode {
  if (!TRANSPARENT.has(node.type)) return node;
  const found = items(node).find(({ type, field }) => type !== 'mutable_specifier' && field !== 'condition');
  return found ? inner(found) : node;
}

/** Binds the names of a pattern to the parts of a value. */
export function bind(
  pattern: SyntaxNode,
  value: Expression,
  type: Type | undefined,
  context: Context,
): Statement[] {
  const node = inner(pattern);
  if (isVariable(node, context)) return [declare(node, value, type, context, new Map())];
  if (node.type === '_') return evaluate(value);
  const typed: Expression = type ? { kind: 'cast', value, type } : value;
  const { statements, held } = hold(typed, context);
  return [...statements, ...parts(node, held, context, new Map())];
}

/** The target of a parameter or loop, and the statements that bind the names of its pattern. */
export function target(
  pattern: SyntaxNode,
  context: Context,
): { readonly target: Expression; readonly statements: readonly Statement[] } {
  const node = inner(pattern);
  const { lowering, locals } = context;
  if (isVariable(node, context)) {
    const name = locals.bind(lowering.textOf(node));
    return { target: { kind: 'name', name, ...lowering.at(node) }, statements: [] };
  }
  if (node.type === '_') return { target: BLANK, statements: [] };
  const held: Expression = { kind: 'name', name: locals.unnamed(), ...lowering.at(node) };
  return { target: held, statements: parts(node, held, context, new Map()) };
}

/** A value that can be read several times. */
export function hold(
  value: Expression,
  context: Context,
): { readonly statements: readonly Statement[]; readonly held: Expression } {
  if (value.kind === 'name' || value.kind === 'this') return { statements: [], held: value };
  const place = { start: 0, line: 0 };
  const name = context.locals.unnamed();
  return { statements: [{ kind: 'declare', name, value, ...place }], held: { kind: 'name', name, ...place } };
}

/** `bound`: names of alternatives that are one variable. */
function parts(
  pattern: SyntaxNode,
  value: Expression,
  context: Context,
  bound: Map<string, string>,
): Statement[] {
  const node = inner(pattern);
  const { lowering } = context;
  const each = (nodes: readonly SyntaxNode[], of: (index: number) => Expression): Statement[] => {
    const rest = nodes.findIndex(({ type }) => type === 'remaining_field_pattern');
    return nodes.flatMap((item, index) =>
      parts(item, rest >= 0 && index > rest ? BLANK : of(index), context, bound),
    );
  };
  switch (node.type) {
    case 'identifier':
    case 'shorthand_field_identifier':
      return isConstant(node, context)
        ? evaluate(pathExpression(node, context))
        : [declare(node, value, undefined, context, bound)];
    case 'scoped_identifier':
      return evaluate(pathExpression(node, context));
    case 'captured_pattern': {
      const [name, rest] = items(node);
      return [
        ...(name ? [declare(name, value, undefined, context, bound)] : []),
        ...(rest ? parts(rest, value, context, bound) : []),
      ];
    }
    case 'or_pattern':
      return items(node).flatMap((item) => parts(item, value, context, bound));
    case 'tuple_pattern':
      return each(items(node), (index) => field(value, String(index), node, context));
    case 'slice_pattern':
      // `rest @ ..` is a part of the list.
      return items(node).flatMap((item) =>
        parts(item, isRest(item) ? value : { kind: 'index', object: value }, context, bound),
      );
    case 'tuple_struct_pattern': {
      const type = child(node, 'type');
      const fields = items(node).filter((item) => item !== type);
      return each(fields, (index) => variantField(value, type, index, node, context));
    }
    case 'struct_pattern': {
      const type = child(node, 'type');
      const cast: Expression = type ? { kind: 'cast', value, type: typeOf(type, context) } : value;
      return items(node)
        .filter((item) => item.type === 'field_pattern')
        .flatMap((item) => {
          const name = child(item, 'name');
          if (!name) return [];
          const part = field(cast, lowering.textOf(name), name, context);
          return parts(child(item, 'pattern') ?? name, part, context, bound);
        });
    }
    default:
      return [];
  }
}

/** `rest @ ..` */
function isRest(node: SyntaxNode): boolean {
  return node.type === 'captured_pattern' && items(node).at(-1)?.type === 'remaining_field_pattern';
}

function declare(
  node: SyntaxNode,
  value: Expression,
  type: Type | undefined,
  { lowering, locals }: Context,
  bound: Map<string, string>,
): Statement {
  const text = lowering.textOf(node);
  const name = bound.get(text) ?? locals.bind(text);
  bound.set(text, name);
  return {
    kind: 'declare',
    name,
    ...lowering.at(node),
    ...(type && { type }),
    ...(value !== BLANK && { value }),
  };
}

function field(object: Expression, name: string, node: SyntaxNode, { lowering }: Context): Expression {
  return { kind: 'member', object, name, ...lowering.at(node) };
}

/** The value in `Some(x)`, `Err(e)`, `Shape::Circle(c)`. */
function variantField(
  value: Expression,
  type: SyntaxNode | undefined,
  index: number,
  node: SyntaxNode,
  context: Context,
): Expression {
  const name = type ? segments(type, context).at(-1)?.text : undefined;
  if (name === 'Some' || name === 'Ok') return { kind: 'unwrap', value };
  if (name === 'Err') return field(value, 'Err', node, context);
  const cast: Expression = type ? { kind: 'cast', value, type: typeOf(type, context) } : value;
  return field(cast, String(index), node, context);
}
