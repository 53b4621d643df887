import type { ClassCode, Statement, Type, TypeParameter } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { evaluate } from '../values.js';
import { within, type Context } from './context.js';
import { typeParameters } from './types.js';

type Supertypes = NonNullable<ClassCode['supertypes']>;

export function classCode(node: SyntaxNode, decorators: readonly SyntaxNode[], context: Context): ClassCode {
  const { lowering } = context;
  const nameNode = child(node, 'name') ?? node;
  const name = lowering.textOf(nameNode);
  const bases = child(node, 'superclasses');
  const mentioned = new Set<string>();
  const declared = new Set<string>();
  const { supertypes, metaclass, names, others } = basesOf(bases, context, mentioned, declared);
  const types = [
    ...typeParameters(child(node, 'type_parameters'), context),
    ...[...(declared.size > 0 ? declared : mentioned)].flatMap((each): TypeParameter[] => {
      const variable = context.typeVariables.get(each);
      return variable ? [variable] : declared.size > 0 ? [{ name: each }] : [];
    }),
  ];
  const { symbol } = lowering.symbolAt(nameNode);
  if (name.startsWith('Test') || names.some((base) => base.endsWith('TestCase')))
    lowering.define(symbol, { test: true });
  const inner = within(
    context,
    'class',
    new Set([...context.frame.typeNames, ...types.map(({ name }) => name)]),
  );
  const body = child(node, 'body');
  const members = [...others, ...(body ? context.body(body, inner) : [])];
  const fields = body && fieldsOf(body, decorators, names, context);
  const applied = decorators.map((each) => context.expression(each, context));
  return {
    ...lowering.at(nameNode),
    ...(symbol !== undefined && { symbol }),
    name,
    form: formOf(names),
    ...(types.length > 0 && { types }),
    ...(metaclass && { metaclass }),
    ...(supertypes.length > 0 && { supertypes }),
    members,
    ...(fields && { fields }),
    ...(applied.length > 0 && { decorators: applied }),
  };
}

const DATA_CLASS = /^(?:\w+\.)?dataclass\b|^attrs?\.(?:s|define|frozen|mutable)\b/;

/** The annotated names of a dataclass or a named tuple; what `__match_args__` names of another class. */
function fieldsOf(
  body: SyntaxNode,
  decorators: readonly SyntaxNode[],
  bases: readonly string[],
  { lowering }: Context,
): string[] | undefined {
  const assignments = named(body).flatMap((each) =>
    each.type === 'expression_statement' ? named(each).filter(({ type }) => type === 'assignment') : [],
  );
  const textOf = (node: SyntaxNode, field: string): string => {
    const part = child(node, field);
    return part ? lowering.textOf(part) : '';
  };
  const isData =
    decorators.some((each) => DATA_CLASS.test(lowering.textOf(each))) ||
    bases.some((each) => /(?:^|\.)NamedTuple$/.test(each));
  if (isData) {
    const typed = assignments.filter((each) => child(each, 'type'));
    return typed
      .filter((each) => !/\bClassVar\b/.test(textOf(each, 'type')))
      .map((each) => textOf(each, 'left'));
  }
  const matched = assignments.find((each) => textOf(each, 'left') === '__match_args__');
  return matched && [...textOf(matched, 'right').matchAll(/(['"])(\w+)\1/g)].map(([, , name = '']) => name);
}

function formOf(bases: readonly string[]): ClassCode['form'] {
  if (bases.some((base) => /(?:^|\.)Protocol$/.test(base))) return 'interface';
  return bases.some((base) => /(?:^|\.)(?:Enum|IntEnum|StrEnum|Flag|IntFlag)$/.test(base)) ? 'enum' : 'class';
}

/** `declared`: the type variables of `Generic[T]` and `Protocol[T]`; `mentioned`: all names in other arguments. */
function basesOf(
  node: SyntaxNode | undefined,
  context: Context,
  mentioned: Set<string>,
  declared: Set<string>,
): { supertypes: Supertypes; metaclass: Type | undefined; names: string[]; others: Statement[] } {
  const supertypes: Supertypes[number][] = [];
  const names: string[] = [];
  const others: Statement[] = [];
  let metaclass: Type | undefined;
  for (const each of node ? named(node) : []) {
    if (each.type === 'keyword_argument') {
      const value = child(each, 'value');
      if (value) others.push(...evaluate(context.expression(value, context)));
      const name = child(each, 'name');
      const isNamed = value?.type === 'identifier' || value?.type === 'attribute';
      if (isNamed && name && context.lowering.textOf(name) === 'metaclass')
        metaclass = context.type(value, context);
      continue;
    }
    const head = each.type === 'subscript' ? child(each, 'value') : each;
    const plain = head?.type === 'identifier' || head?.type === 'attribute';
    const name = head && plain ? context.lowering.textOf(head) : '';
    names.push(name);
    const declares = each.type === 'subscript' && /(?:^|\.)(?:Generic|Protocol)$/.test(name);
    const seen = new Set<string>();
    // Markers: a class inherits no members from them.
    if (/(?:^|\.)(?:Generic|Protocol|ABC|object)$/.test(name)) {
      others.push(...evaluate(context.expression(head ?? each, context)));
      if (!declares) continue;
    }
    const type: Type = plain ? context.type(each, context, seen) : { kind: 'other' };
    for (const variable of seen) if (variable !== name) (declares ? declared : mentioned).add(variable);
    if (declares) continue;
    if (plain && type.kind === 'named') supertypes.push({ relation: 'extends', type });
    else supertypes.push({ relation: 'extends', type, value: context.expression(each, context) });
  }
  return { supertypes, metaclass, names, others };
}
