import type { Expression, Statement, Type } from '../../../code.js';
import { child, childrenIn, named, NO_NODE, ofType, type SyntaxNode } from '../syntax-node.js';
import { evaluate, UNKNOWN } from '../values.js';
import type { Context } from './context.js';

const BUILTIN_TYPES = new Set('bool bytearray bytes dict float frozenset int list set str tuple'.split(' '));

/** A name that a class pattern matches is of that class in its case. */
export function matchStatement(node: SyntaxNode, context: Context): Statement[] {
  const subjects = childrenIn(node, 'subject').map((each) => context.expression(each, context));
  const [first] = subjects;
  const subject: Expression = first && subjects.length === 1 ? first : { kind: 'tuple', items: subjects };
  const cases = named(child(node, 'body') ?? NO_NODE).filter((each) => each.type === 'case_clause');
  const arms = cases.map((each) => {
    const patterns = each.children.filter(({ type }) => type === 'case_pattern');
    const values = patterns.length === 1 ? [subject] : subjects;
    const bound = patterns.flatMap((one, at) => {
      const value = values[at] ?? UNKNOWN;
      return [...proved(one, value, context), ...pattern(one, value, context)];
    });
    const guard = child(each, 'guard');
    const tested = guard ? named(guard).flatMap((test) => evaluate(context.expression(test, context))) : [];
    const block = ofType(each, 'block');
    return [...bound, ...tested, ...(block ? context.body(block, context) : [])];
  });
  const last = cases.at(-1);
  const isTotal = last && !child(last, 'guard') && matchesAll(last, context);
  return [...evaluate(subject), { kind: 'branch', arms, ...(isTotal && { total: true as const }) }];
}

/** `case _:`, `case other:`. */
function matchesAll({ children }: SyntaxNode, { lowering }: Context): boolean {
  const patterns = children.filter(({ type }) => type === 'case_pattern');
  return (
    patterns.length === 1 &&
    patterns.every((each) => /^(?!True$|False$|None$)[^\W\d]\w*$/.test(lowering.textOf(each)))
  );
}

function proved(node: SyntaxNode, subject: Expression, context: Context): Statement[] {
  const type = subject.kind === 'name' ? matchedType(node, context) : undefined;
  return type && subject.kind === 'name' ? [{ ...subject, kind: 'declare', type, narrows: {} }] : [];
}

/** The type of all that a pattern matches. */
function matchedType(node: SyntaxNode, context: Context): Type | undefined {
  const parts = named(node);
  const [first] = parts;
  if (!first) return undefined;
  if (node.type === 'case_pattern' || node.type === 'as_pattern') return matchedType(first, context);
  if (node.type === 'class_pattern') return context.type(first, context);
  if (node.type !== 'union_pattern') return undefined;
  const types = parts.map((each) => matchedType(each, context));
  return types.every((each) => each !== undefined) ? { kind: 'union', of: types } : undefined;
}

/** Variables that a pattern of `case` binds when it matches a value. */
export function pattern(node: SyntaxNode, subject: Expression, context: Context): Statement[] {
  const { lowering } = context;
  const parts = named(node);
  const [first] = parts;
  const inner = (each: SyntaxNode | undefined, value: Expression): Statement[] =>
    each ? pattern(each, value, context) : [];
  switch (node.type) {
    case 'case_pattern':
      return inner(first, subject);
    case 'dotted_name': {
      const name = lowering.textOf(node);
      if (name === '_') return [];
      if (parts.length > 1) return evaluate(context.expression(node, context));
      return [
        {
          kind: 'assign',
          target: { kind: 'name', ...lowering.at(node), name },
          value: subject,
          declares: true,
        },
      ];
    }
    case 'as_pattern': {
      const alias = parts.at(-1);
      const [matched] = parts;
      const typed = matched && classOf(matched);
      const value: Expression = typed
        ? { kind: 'cast', value: subject, type: context.type(typed, context) }
        : subject;
      const target = alias && context.expression(alias, context);
      return [
        ...inner(matched, subject),
        ...(target ? [{ kind: 'assign', target, value, declares: true } as const] : []),
      ];
    }
    case 'class_pattern': {
      if (!first) return [];
      const value: Expression = { kind: 'cast', value: subject, type: context.type(first, context) };
      // A builtin type binds the value itself.
      const isPlain = BUILTIN_TYPES.has(lowering.textOf(first));
      const matched = evaluate(context.expression(first, context));
      const bound = parts.slice(1).flatMap((each, at) => {
        const [keyword] = named(each);
        const key: Expression = { kind: 'literal', type: 'number', text: String(at) };
        if (keyword?.type !== 'keyword_pattern')
          return inner(each, isPlain ? value : { kind: 'index', object: value, key });
        const [name, of] = named(keyword);
        if (!name) return [];
        return inner(of, {
          kind: 'member',
          ...lowering.at(name),
          object: value,
          name: lowering.textOf(name),
        });
      });
      return [...matched, ...bound];
    }
    case 'list_pattern':
    case 'tuple_pattern':
      return parts.flatMap((each, at) => {
        const key: Expression = { kind: 'literal', type: 'number', text: String(at) };
        const rest = named(each)[0]?.type === 'splat_pattern';
        return inner(
          each,
          rest ? { kind: 'slice', object: subject, from: key } : { kind: 'index', object: subject, key },
        );
      });
    case 'dict_pattern': {
      const keys = node.children.filter((each) => each.field === 'key');
      const values = node.children.filter((each) => each.field === 'value');
      return values.flatMap((each, at) => {
        const key = keys[at];
        return inner(each, {
          kind: 'index',
          object: subject,
          ...(key && { key: context.expression(key, context) }),
        });
      });
    }
    case 'splat_pattern':
      return first
        ? [{ kind: 'assign', target: context.expression(first, context), value: subject, declares: true }]
        : [];
    case 'union_pattern':
      return parts.flatMap((each) => inner(each, subject));
    default:
      return [];
  }
}

function classOf(node: SyntaxNode): SyntaxNode | undefined {
  const matched = node.type === 'case_pattern' ? named(node)[0] : node;
  return matched?.type === 'class_pattern' ? (child(matched, 'name') ?? named(matched)[0]) : undefined;
}
