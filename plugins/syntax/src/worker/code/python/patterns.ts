import type { Expression, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { evaluate, type Context } from './context.js';

const BUILTIN_TYPES = new Set('bool bytearray bytes dict float frozenset int list set str tuple'.split(' '));

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
      return parts.slice(1).flatMap((each, at) => {
        const [keyword] = named(each);
        const key: Expression = { kind: 'literal', type: 'number', text: String(at) };
        if (keyword?.type !== 'keyword_pattern')
          return inner(each, isPlain ? value : { kind: 'index', object: value, key });
        const [name, matched] = named(keyword);
        if (!name) return [];
        return inner(matched, {
          kind: 'member',
          ...lowering.at(name),
          object: value,
          name: lowering.textOf(name),
        });
      });
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
