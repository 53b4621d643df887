import type { Expression, Statement } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { accessors, delegated, DELEGATORS, MIXES } from './attributes.js';
import type { Ruby } from './context.js';
import { flowOf, type Flow } from './flow.js';
import { symbolText } from './functions.js';
import { bodyNodes } from './locals.js';

/** Declarations of a body that apply to the methods after them. */
interface Section {
  hidden: boolean;
  /** Methods belong to the class itself: `class << self`. */
  readonly own: boolean;
}

const ACCESS = new Set(['public', 'private', 'protected']);
const ATTRIBUTES = new Set(['attr_reader', 'attr_writer', 'attr_accessor']);

/** The members in the body of a class or module. */
export function membersOf(ruby: Ruby, body: readonly SyntaxNode[], own = false): Statement[] {
  const section: Section = { hidden: false, own };
  const late = new Set<string>();
  const members = body.flatMap((each) => memberOf(ruby, each, section, late));
  for (const member of members) {
    if (member.kind !== 'function' || !late.has(member.function.name ?? '')) continue;
    ruby.lowering.define(member.function.symbol, { exported: false });
  }
  return members;
}

function memberOf(ruby: Ruby, node: SyntaxNode, section: Section, late: Set<string>): Statement[] {
  const text = ruby.lowering.textOf(node);
  if (node.type === 'identifier' && ACCESS.has(text)) {
    section.hidden = text === 'private';
    return [];
  }
  if (node.type === 'identifier' && text === 'module_function') return [];
  if (node.type === 'singleton_class') return membersOf(ruby, bodyNodes(child(node, 'body')), true);
  if (node.type === 'method' || node.type === 'singleton_method') {
    const code = ruby.function(node, section.own || node.type === 'singleton_method' ? { static: true } : {});
    ruby.lowering.define(code.symbol, {
      exported: !section.hidden,
      test: code.name?.startsWith('test_') === true,
    });
    return [{ kind: 'function', function: code }];
  }
  if (node.type === 'alias') return aliasOf(ruby, named(node), section.own);
  const flow = flowOf(ruby, node);
  if (flow) return flowMembers(ruby, flow, section, late);
  const method = node.type === 'call' && !child(node, 'receiver') ? child(node, 'method') : undefined;
  return (
    (method && macroOf(ruby, node, ruby.lowering.textOf(method), section, late)) ?? ruby.statements([node])
  );
}

/** Members that a class has where a condition holds. */
function flowMembers(ruby: Ruby, flow: Flow, section: Section, late: Set<string>): Statement[] {
  const members = flow.arms.flatMap(({ nodes, first = [] }) => [
    ...first,
    ...nodes.flatMap((each) => memberOf(ruby, each, section, late)),
  ]);
  const isCertain = flow.total && flow.arms.length === 1;
  return [
    ...ruby.statements(flow.before),
    ...members.map((each) =>
      each.kind === 'function' && !isCertain
        ? { ...each, function: { ...each.function, conditional: true as const } }
        : each,
    ),
    ...ruby.statements(flow.after ?? []),
  ];
}

/** Calls in a class body that declare members. */
function macroOf(
  ruby: Ruby,
  node: SyntaxNode,
  method: string,
  section: Section,
  late: Set<string>,
): Statement[] | undefined {
  const args = named(child(node, 'arguments') ?? NO_NODE);
  if (ATTRIBUTES.has(method)) {
    return args.flatMap((each) => {
      const name = symbolText(ruby, each);
      return name === '' ? [] : accessors(ruby, each, name, method, section.own);
    });
  }
  if (DELEGATORS.has(method)) return delegated(ruby, method, args);
  if (method === 'alias_method') return aliasOf(ruby, args, section.own);
  if (MIXES.has(method)) return [];
  const isSection = ACCESS.has(method) || method === 'module_function' || method === 'private_class_method';
  if (!isSection) return undefined;
  if (method.startsWith('private')) for (const each of args) late.add(symbolText(ruby, each));
  const inner: Section = { hidden: method.startsWith('private'), own: section.own };
  return args.flatMap((each) => (each.type.endsWith('symbol') ? [] : memberOf(ruby, each, inner, late)));
}

/** `alias new old`, `alias_method :new, :old`: a member with the value of another. */
export function aliasOf(ruby: Ruby, [fresh, old]: readonly SyntaxNode[], isStatic = false): Statement[] {
  if (!fresh || !old || !ruby.className) return [];
  const [name, value] = [fresh, old].map((each) => symbolText(ruby, each) || ruby.lowering.textOf(each));
  const at = ruby.lowering.at(old);
  if (name === undefined || value === undefined || !/^\w/.test(name)) return [];
  const extra = isStatic ? ({ static: true } as const) : {};
  const original: Expression = { kind: 'name', ...at, name: value };
  return [{ kind: 'declare', ...ruby.lowering.at(fresh), name, value: original, ...extra }];
}
