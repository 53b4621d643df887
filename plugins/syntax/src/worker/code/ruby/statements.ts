import type { Statement } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { assignedClass, classOf, evaluatedClass } from './classes.js';
import type { Ruby } from './context.js';
import { flowOf, type Flow } from './flow.js';
import { symbolText } from './functions.js';
import { bodyNodes } from './locals.js';
import { aliasOf, membersOf } from './members.js';

type ToStatements = (ruby: Ruby, node: SyntaxNode) => readonly Statement[];

const STATEMENTS: Readonly<Record<string, ToStatements>> = {
  class: (ruby, node) => [classOf(ruby, node)],
  module: (ruby, node) => [classOf(ruby, node)],
  method: (ruby, node) => membersOf(ruby, [node]),
  singleton_method: (ruby, node) => membersOf(ruby, [node]),
  singleton_class: (ruby, node) => membersOf(ruby, [node]),
  alias: (ruby, node) => aliasOf(ruby, named(node)),
  undef: () => [],
  assignment: assigned,
  call: (ruby, node) => declaring(ruby, node) ?? evaluated(ruby, node),
  return: (ruby, node) => given(ruby, node).map((each) => ({ kind: 'return', value: ruby.expression(each) })),
  // `next` ends a block with its value.
  next: (ruby, node) => given(ruby, node).map((each) => ({ kind: 'return', value: ruby.expression(each) })),
  break: (ruby, node) => given(ruby, node).flatMap((each) => evaluated(ruby, each)),
  for: (ruby, node) => {
    const [target, value] = [child(node, 'pattern'), child(node, 'value')];
    const [of] = named(value ?? NO_NODE);
    return [
      ...(target && of
        ? [{ kind: 'each', target: ruby.expression(target), of: ruby.expression(of) } as const]
        : []),
      { kind: 'branch', arms: [ruby.statements(bodyNodes(child(node, 'body')))] },
    ];
  },
  begin_block: (ruby, node) => ruby.statements(named(node)),
  end_block: (ruby, node) => ruby.statements(named(node)),
};

export function statementOf(ruby: Ruby, node: SyntaxNode): readonly Statement[] {
  const flow = flowOf(ruby, node);
  if (flow) return branches(ruby, flow, (nodes) => ruby.statements(nodes));
  const lower = Object.hasOwn(STATEMENTS, node.type) ? STATEMENTS[node.type] : undefined;
  return lower ? lower(ruby, node) : evaluated(ruby, node);
}

/** Statements of which the last returns its value. */
export function returning(ruby: Ruby, nodes: readonly SyntaxNode[]): Statement[] {
  // The text of a heredoc follows the statement that it belongs to.
  const end = nodes.findLastIndex(({ type }) => type !== 'heredoc_body');
  const last = nodes[end];
  const before = ruby.statements(nodes.filter((_, index) => index !== end));
  if (!last) return before;
  const flow = flowOf(ruby, last);
  if (flow) return [...before, ...branches(ruby, flow, (inner) => returning(ruby, inner))];
  if (Object.hasOwn(STATEMENTS, last.type) && last.type !== 'call' && last.type !== 'assignment') {
    return [...before, ...statementOf(ruby, last)];
  }
  const declared = last.type === 'assignment' ? undefined : declaring(ruby, last);
  if (declared) return [...before, ...declared];
  const value = ruby.expression(last);
  return value.kind === 'assign' && value.target.kind !== 'index'
    ? [...before, value, { kind: 'return', value: value.target }]
    : [...before, { kind: 'return', value }];
}

function branches(ruby: Ruby, flow: Flow, body: (nodes: readonly SyntaxNode[]) => Statement[]): Statement[] {
  const arms = flow.arms.map(({ nodes, first = [] }) => [...first, ...body(nodes)]);
  const [only] = arms;
  return [
    ...ruby.statements(flow.before),
    ...(arms.length === 1 && only && flow.total
      ? only
      : [{ kind: 'branch', arms, ...(flow.total && { total: true as const }) } as const]),
    ...ruby.statements(flow.after ?? []),
  ];
}

function given(ruby: Ruby, node: SyntaxNode): SyntaxNode[] {
  const [list] = named(node);
  const values = named(list ?? NO_NODE);
  return list && values.length > 1 ? [{ ...list, type: 'array' }] : values;
}

function evaluated(ruby: Ruby, node: SyntaxNode): Statement[] {
  const value = ruby.expression(node);
  if (value.kind === 'assign') return [value];
  return value.kind === 'literal' || value.kind === 'this' ? [] : [{ kind: 'evaluate', value }];
}

/** Constants are declared, other targets assigned. */
function assigned(ruby: Ruby, node: SyntaxNode): readonly Statement[] {
  const left = child(node, 'left');
  const made = assignedClass(ruby, node);
  if (made) return [made];
  if (left?.type !== 'constant') return evaluated(ruby, node);
  const value = ruby.expression(child(node, 'right') ?? NO_NODE);
  const { symbol } = ruby.lowering.symbolAt(left);
  ruby.lowering.define(symbol, { exported: true });
  const name = ruby.lowering.textOf(left);
  const holds =
    value.kind === 'function' && symbol !== undefined
      ? { ...value, function: { ...value.function, symbol } }
      : value;
  return [
    {
      kind: 'declare',
      ...ruby.lowering.at(left),
      name,
      value: holds,
      ...(symbol !== undefined && holds.kind !== 'function' && { symbol }),
      ...(ruby.className && { static: true }),
    },
  ];
}

/** The declarations that a call makes. Undefined for other calls. */
function declaring(ruby: Ruby, node: SyntaxNode): readonly Statement[] | undefined {
  const reopened = evaluatedClass(ruby, node);
  return reopened ? [reopened] : (loaded(ruby, node) ?? defined(ruby, node));
}

/** `require 'a'`, `require_relative 'a'`, `load 'a.rb'`, `autoload :A, 'a'`. */
function loaded(ruby: Ruby, node: SyntaxNode): readonly Statement[] | undefined {
  const method = child(node, 'method');
  if (!method || child(node, 'receiver')) return undefined;
  const text = ruby.lowering.textOf(method);
  if (!/^(?:require|require_relative|load|autoload)$/.test(text)) return undefined;
  const path = named(child(node, 'arguments') ?? NO_NODE)[text === 'autoload' ? 1 : 0];
  const module = symbolText(ruby, path);
  if (!path || module === '') return undefined;
  const relative = text === 'require_relative' && !module.startsWith('.') ? './' : '';
  return [{ kind: 'import', ...ruby.lowering.at(path), module: relative + module, form: 'load' }];
}

/** `define_method(:a) { … }` */
function defined(ruby: Ruby, node: SyntaxNode): readonly Statement[] | undefined {
  const [method, block] = [child(node, 'method'), child(node, 'block')];
  if (!method || !block || !/^define_(?:singleton_)?method$/.test(ruby.lowering.textOf(method)))
    return undefined;
  const [first] = named(child(node, 'arguments') ?? NO_NODE);
  const name = symbolText(ruby, first);
  if (!first || name === '') return undefined;
  const { symbol } = ruby.lowering.symbolAt(first);
  ruby.lowering.define(symbol, { exported: true });
  const isOwn = ruby.lowering.textOf(method) === 'define_singleton_method';
  const code = ruby.within({ method: name }).function(block, {
    name,
    ...(symbol !== undefined && { symbol }),
    ...(isOwn && { static: true }),
  });
  return [{ kind: 'function', function: code }];
}
