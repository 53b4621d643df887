import type { Expression, Statement, Type } from '../../../code.js';
import { child, childrenIn, named, ofType, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Ruby } from './context.js';
import { hasHandlers } from './functions.js';
import { bodyNodes } from './locals.js';

/** A construct of which at most one arm runs, as a statement or as a value. */
export interface Flow {
  /** Evaluated before the arms. */
  readonly before: readonly SyntaxNode[];
  readonly arms: ReadonlyArray<{
    readonly nodes: readonly SyntaxNode[];
    readonly first?: readonly Statement[];
  }>;
  readonly after?: readonly SyntaxNode[];
  readonly total?: boolean;
}

type ToFlow = (ruby: Ruby, node: SyntaxNode) => Flow;

const FLOWS: Readonly<Record<string, ToFlow>> = {
  if: conditional,
  unless: conditional,
  elsif: conditional,
  conditional,
  if_modifier: modifier,
  unless_modifier: modifier,
  while_modifier: modifier,
  until_modifier: modifier,
  rescue_modifier: (_, node) => ({
    before: [],
    arms: [child(node, 'body'), child(node, 'handler')].map((each) => ({ nodes: bodyNodes(each) })),
  }),
  while: loop,
  until: loop,
  case: (ruby, node) => {
    const value = child(node, 'value');
    const whens = named(node).filter(({ type }) => type === 'when');
    const patterns = whens.flatMap((each) =>
      childrenIn(each, 'pattern').flatMap((pattern) => named(pattern)),
    );
    const otherwise = ofType(node, 'else');
    return {
      before: [...(value ? [value] : []), ...patterns],
      arms: [
        ...whens.map((each) => ({
          nodes: bodyNodes(child(each, 'body')),
          first: narrowed(
            ruby,
            value,
            childrenIn(each, 'pattern').flatMap((pattern) => named(pattern)),
          ),
        })),
        ...(otherwise ? [{ nodes: bodyNodes(otherwise) }] : []),
      ],
      total: otherwise !== undefined,
    };
  },
  case_match: (ruby, node) => {
    const value = child(node, 'value');
    const clauses = named(node).filter(({ type }) => type === 'in_clause');
    const otherwise = ofType(node, 'else');
    return {
      before: value ? [value] : [],
      arms: [
        ...clauses.map((each) => ({
          nodes: [...named(child(each, 'guard') ?? NO_NODE), ...bodyNodes(child(each, 'body'))],
          first: matched(ruby, value, child(each, 'pattern')),
        })),
        ...(otherwise ? [{ nodes: bodyNodes(otherwise) }] : []),
      ],
    };
  },
  begin: guarded,
  body_statement: guarded,
  block_body: guarded,
  parenthesized_statements: (_, node) => ({ before: [], arms: [{ nodes: named(node) }], total: true }),
};

export function flowOf(ruby: Ruby, node: SyntaxNode): Flow | undefined {
  return Object.hasOwn(FLOWS, node.type) ? FLOWS[node.type]?.(ruby, node) : undefined;
}

function conditional(ruby: Ruby, node: SyntaxNode): Flow {
  const [condition, then, otherwise] = ['condition', 'consequence', 'alternative'].map((field) =>
    child(node, field),
  );
  return {
    before: condition ? [condition] : [],
    arms: [
      { nodes: bodyNodes(then), first: node.type === 'unless' ? [] : tested(ruby, condition) },
      ...(otherwise ? [{ nodes: bodyNodes(otherwise) }] : []),
    ],
    total: otherwise !== undefined,
  };
}

function modifier(ruby: Ruby, node: SyntaxNode): Flow {
  const [condition, body] = [child(node, 'condition'), child(node, 'body')];
  const first = node.type === 'if_modifier' ? tested(ruby, condition) : [];
  return { before: condition ? [condition] : [], arms: [{ nodes: bodyNodes(body), first }] };
}

function loop(_: Ruby, node: SyntaxNode): Flow {
  const condition = child(node, 'condition');
  return { before: condition ? [condition] : [], arms: [{ nodes: bodyNodes(child(node, 'body')) }] };
}

/** Statements with `rescue`, `else` and `ensure` among them. */
function guarded(ruby: Ruby, node: SyntaxNode): Flow {
  const clauses = new Set(['rescue', 'else', 'ensure']);
  const parts = named(node);
  const main = parts.filter(({ type }) => !clauses.has(type));
  if (!hasHandlers(node)) return { before: [], arms: [{ nodes: main }], total: true };
  const handlers = parts.filter(({ type }) => type === 'rescue');
  const rest = parts.filter(({ type }) => type === 'else');
  const last = parts.filter(({ type }) => type === 'ensure');
  return {
    before: handlers.flatMap((each) => named(child(each, 'exceptions') ?? NO_NODE)),
    arms: [
      { nodes: [...main, ...rest.flatMap((each) => named(each))] },
      ...handlers.map((each) => ({ nodes: bodyNodes(child(each, 'body')), first: caught(ruby, each) })),
    ],
    after: last.flatMap((each) => named(each)),
  };
}

function caught(ruby: Ruby, node: SyntaxNode): Statement[] {
  const [variable] = named(child(node, 'variable') ?? NO_NODE);
  if (variable?.type !== 'identifier') return [];
  const type = typeOf(ruby, named(child(node, 'exceptions') ?? NO_NODE));
  const at = ruby.lowering.at(variable);
  return [{ kind: 'declare', ...at, name: ruby.lowering.textOf(variable), ...(type && { type }) }];
}

/** The type of objects of one of these classes. */
export function typeOf(ruby: Ruby, constants: readonly SyntaxNode[]): Type | undefined {
  const types = constants.flatMap((each): Type[] => {
    const path = pathOf(ruby, each);
    return path ? [{ kind: 'named', ...ruby.lowering.at(each), path }] : [];
  });
  return types.length === constants.length && types.length > 1 ? { kind: 'union', of: types } : types[0];
}

/** Parts of a constant: `A::B`. `::A` starts with an empty part. */
export function pathOf(ruby: Ruby, node: SyntaxNode): string[] | undefined {
  if (node.type === 'constant') return [ruby.lowering.textOf(node)];
  if (node.type !== 'scope_resolution') return undefined;
  const [scope, name] = [child(node, 'scope'), child(node, 'name')];
  const outer = scope ? pathOf(ruby, scope) : [''];
  return outer && name ? [...outer, ruby.lowering.textOf(name)] : undefined;
}

/** A variable that is one of these classes in this arm. */
function narrowed(ruby: Ruby, value: SyntaxNode | undefined, constants: readonly SyntaxNode[]): Statement[] {
  const known = constants.length > 0 && constants.every((each) => pathOf(ruby, each));
  const type = known ? typeOf(ruby, constants) : undefined;
  const target = value?.type === 'identifier' && type ? ruby.expression(value) : undefined;
  return type && target?.kind === 'name'
    ? [{ kind: 'assign', target, value: { kind: 'cast', value: target, type } }]
    : [];
}

/** `if a.is_a?(Foo) && b` */
function tested(ruby: Ruby, node: SyntaxNode | undefined): Statement[] {
  if (node?.type === 'parenthesized_statements') return tested(ruby, named(node)[0]);
  if (node?.type === 'binary' && ['&&', 'and'].includes(child(node, 'operator')?.type ?? '')) {
    return [...tested(ruby, child(node, 'left')), ...tested(ruby, child(node, 'right'))];
  }
  const method = node?.type === 'call' ? child(node, 'method') : undefined;
  if (!node || !method || !/^(?:is_a|kind_of|instance_of)\?$/.test(ruby.lowering.textOf(method))) return [];
  return narrowed(ruby, child(node, 'receiver'), named(child(node, 'arguments') ?? NO_NODE));
}

/** Variables that a pattern sets: `Foo => a` has the type of the constant, others none. */
function matched(ruby: Ruby, value: SyntaxNode | undefined, pattern: SyntaxNode | undefined): Statement[] {
  if (!pattern) return [];
  const name = pattern.type === 'as_pattern' ? child(pattern, 'name') : undefined;
  const of = pattern.type === 'as_pattern' ? child(pattern, 'value') : pattern;
  const constant = of && pathOf(ruby, of) ? of : of && child(of, 'class');
  const type = constant && typeOf(ruby, [constant]);
  const own: Statement[] =
    name && type
      ? [{ kind: 'declare', ...ruby.lowering.at(name), name: ruby.lowering.textOf(name), type }]
      : constant
        ? narrowed(ruby, value, [constant])
        : [];
  return [...own, ...named(pattern).flatMap((each) => matched(ruby, undefined, each))];
}

/** The arms as alternatives of a value. */
export function valueOf(ruby: Ruby, flow: Flow): Expression {
  const choices = flow.arms.map(({ nodes, first = [] }): Expression => {
    const last = nodes.at(-1);
    const body = [...first, ...ruby.statements(nodes.slice(0, -1))];
    const value = last ? ruby.expression(last) : ({ kind: 'literal', type: 'null' } as const);
    return body.length > 0 ? { kind: 'block', body, value } : value;
  });
  const [only] = choices;
  const value: Expression = choices.length === 1 && only ? only : { kind: 'choice', of: choices };
  const body = [...ruby.statements(flow.before), ...ruby.statements(flow.after ?? [])];
  return body.length > 0 ? { kind: 'block', body, value } : value;
}
