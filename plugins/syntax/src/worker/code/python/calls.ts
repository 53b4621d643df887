import type { Argument, Call, ClassCode, Expression, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { after, evaluate, held, withHeld } from '../values.js';
import { NONE, type Context } from './context.js';
import { accessor, namedTuple } from './made-values.js';
import { prefixed } from './prefixes.js';
import { isFunctionVariable } from './types.js';

/** A call. For some builtin functions the result is known: `super()`, `cast(A, b)`, `getattr(a, "b")`, `dict(a=b)`. */
export function call(node: SyntaxNode, context: Context): Expression {
  const { lowering } = context;
  const callee = child(node, 'function') ?? node;
  const list = child(node, 'arguments');
  const items = list?.type === 'argument_list' ? named(list) : list ? [list] : [];
  const name = callee.type === 'attribute' ? (child(callee, 'attribute') ?? callee) : callee;
  const made: Call = {
    kind: 'call',
    ...lowering.at(name),
    callee: context.expression(callee, context),
    arguments: items.map((each) => argument(each, context)),
  };
  const bare: Call = { ...made, arguments: [] };
  const [first, second, third] = made.arguments;
  switch (lowering.textOf(callee)) {
    case 'super':
      if (!second || first?.value.kind !== 'name') return { kind: 'super', call: bare };
      return { kind: 'super', call: bare, of: { ...first.value, kind: 'named', path: [first.value.name] } };
    case 'cast':
    case 't.cast':
    case 'typing.cast': {
      const [type] = items;
      if (!type || !second) return made;
      const to = context.type(type, context);
      const keeps = isFunctionVariable(to, context.typeVariables.values());
      return after([bare], keeps ? second.value : { kind: 'cast', type: to, value: second.value });
    }
    case 'getattr': {
      const key = textOf(second);
      if (!first || key === undefined) return made;
      const member: Expression = {
        kind: 'member',
        object: first.value,
        name: key,
        ...lowering.at(name),
      };
      return after([bare], third ? { kind: 'choice', of: [member, third.value] } : member);
    }
    case 'setattr': {
      const key = textOf(second);
      if (!first || !third || key === undefined) return made;
      const target: Expression = { kind: 'member', object: first.value, name: key, ...lowering.at(name) };
      return after([bare], { kind: 'assign', target, value: third.value });
    }
    case 'type':
      if (third) return createdClass(made, bare) ?? made;
      if (!first || second || first.name !== undefined || first.value.kind === 'spread') return made;
      return after([bare], { kind: 'member', object: first.value, name: '__class__', ...lowering.at(name) });
    case 'eval':
    case 'exec': {
      const value = second ? undefined : evaluated(textOf(first), made);
      if (!value) return made;
      return lowering.textOf(callee) === 'eval' ? after([bare], value) : after([bare, value], NONE);
    }
    case '__import__':
    case 'import_module':
    case 'importlib.import_module': {
      const module = absoluteName(first, second);
      // The root of the path alone is what `__import__` gives.
      if (
        module === undefined ||
        (second && lowering.textOf(callee) === '__import__') ||
        (module.includes('.') && lowering.textOf(callee) === '__import__')
      )
        return made;
      return after([bare], { kind: 'import', module, ...lowering.at(name) });
    }
    case 'dict': {
      if (!first || made.arguments.some((each) => each.name === undefined)) return made;
      const entries = made.arguments.map(({ name: key = '', value }) => ({
        key: { kind: 'literal', type: 'string', text: key } as const,
        value,
      }));
      return after([bare], { kind: 'object', entries });
    }
    case 'namedtuple':
    case 'collections.namedtuple': {
      const created = namedTuple(made, textOf(first));
      return created ? after([bare], created) : made;
    }
    case 'attrgetter':
    case 'itemgetter':
    case 'methodcaller':
    case 'operator.attrgetter':
    case 'operator.itemgetter':
    case 'operator.methodcaller': {
      const created = accessor(lowering.textOf(name), made);
      return created ? after([bare], created) : made;
    }
    case 'heappush':
    case 'heapq.heappush':
    case 'insort':
    case 'bisect.insort':
      return added(made, node, context);
    default:
      return formatted(made);
  }
}

/** `heappush(list, item)` puts the item at an index that is not known. */
function added(made: Call, node: SyntaxNode, { lowering }: Context): Expression {
  const before: Statement[] = [];
  const values = made.arguments.slice(0, 2).map(({ value }) => held(value, node, lowering, before));
  const [object, value] = values;
  if (!object || !value) return made;
  const given = made.arguments.map((each, at): Argument => ({ ...each, value: values[at] ?? each.value }));
  const call: Call = { ...made, arguments: given };
  return withHeld(before, after([call, { kind: 'assign', target: { kind: 'index', object }, value }], NONE));
}

/** `"a{}".format(b)` */
function formatted(made: Call): Expression {
  const { callee } = made;
  const pattern = callee.kind === 'member' && callee.name === 'format' ? callee.object : undefined;
  return prefixed(pattern?.kind === 'literal' ? pattern.text?.split('{')[0] : undefined, made);
}

/** The class of `type("Name", (Base,), {"method": function})`. */
function createdClass(
  { arguments: [first, second, third], start, line }: Call,
  bare: Call,
): Expression | undefined {
  const name = textOf(first);
  // `dict(a=b)` is a call before its value.
  const isCall = third?.value.kind === 'block' && third.value.value !== undefined;
  const space = isCall ? third.value.value : third?.value;
  if (second?.value.kind !== 'tuple' || space?.kind !== 'object') return undefined;
  const members: Statement[] = [];
  for (const { key, value } of space.entries) {
    if (key?.kind !== 'literal' || key.text === undefined) return undefined;
    members.push({ kind: 'declare', start, line, name: key.text, value, static: true });
  }
  const supertypes = second.value.items.map((value) => ({
    relation: 'extends' as const,
    type: { kind: 'other' as const },
    value,
  }));
  const created: ClassCode = {
    start,
    line,
    form: 'class',
    supertypes,
    members,
    ...(name !== undefined && { name }),
  };
  const calls = isCall ? third.value.body : [];
  return { kind: 'block', body: [...calls, ...evaluate(bare)], value: { kind: 'class', class: created } };
}

/** What a text says that is a name or a call without arguments: `"models.User"`, `"run()"`. */
function evaluated(text: string | undefined, { start, line }: Call): Expression | undefined {
  const [, path = '', isCall] = /^\s*([\p{L}_][\p{L}\p{N}_.]*)(\(\s*\))?\s*$/u.exec(text ?? '') ?? [];
  const [first, ...others] = path.split('.');
  if (!first || others.includes('')) return undefined;
  const at = { start, line };
  const value = others.reduce<Expression>((object, name) => ({ kind: 'member', ...at, object, name }), {
    kind: 'name',
    ...at,
    name: first,
  });
  return isCall === undefined ? value : { kind: 'call', ...at, callee: value, arguments: [] };
}

/** The module that a call names, relative to the package that it names or to its own: `import_module(".a", __name__)`. */
function absoluteName(module: Argument | undefined, around: Argument | undefined): string | undefined {
  const name = textOf(module);
  if (!around || !name?.startsWith('.')) return name;
  if (around.value.kind === 'name' && /^__(?:name|package)__$/.test(around.value.name)) return name;
  const home = textOf(around);
  return home !== undefined && /^\.[^.]/.test(name) ? `${home}${name}` : undefined;
}

/** The text of a string literal. */
function textOf(argument: Argument | undefined): string | undefined {
  const value = argument?.value;
  return value?.kind === 'literal' && value.type === 'string' ? value.text : undefined;
}

function argument(node: SyntaxNode, context: Context): Argument {
  if (node.type !== 'keyword_argument') return { value: context.expression(node, context) };
  const name = child(node, 'name');
  const value = child(node, 'value');
  return {
    ...(name && { name: context.lowering.textOf(name) }),
    value: value ? context.expression(value, context) : NONE,
  };
}
