import type { ClassCode, FunctionCode, Located, Statement, Type } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { accessors, extendsItself, fieldOf, MIXES } from './attributes.js';
import type { Ruby } from './context.js';
import { pathOf, typeOf } from './flow.js';
import { plainParameters, symbolText } from './functions.js';
import { passedOn } from './hooks.js';
import { bodyNodes, localsOf } from './locals.js';
import { membersOf } from './members.js';

/** `class A::B < C`, `module A`: inside of the constants that its name goes through. */
export function classOf(ruby: Ruby, node: SyntaxNode): Statement {
  const name = child(node, 'name') ?? node;
  const path = (pathOf(ruby, name) ?? []).filter((part) => part !== '');
  const holder = child(node, 'superclass');
  const [base] = named(holder ?? NO_NODE);
  const { symbol } = ruby.lowering.symbolAt(name);
  const isTest = base !== undefined && /(?:^|::)Test(?:Case)?$/.test(ruby.lowering.textOf(base));
  ruby.lowering.define(symbol, { exported: true, test: isTest });
  const generated = base ? structOf(ruby, base) : undefined;
  const body = bodyNodes(child(node, 'body'));
  const type = base && !generated ? typeOf(ruby, [base]) : undefined;
  const code: ClassCode = {
    ...ruby.lowering.at(name),
    ...(symbol !== undefined && { symbol }),
    name: path.at(-1) ?? '',
    form: node.type === 'class' ? 'class' : 'trait',
    ...supertypesOf(ruby, body, [...itself(ruby, name, body), ...extended(type)]),
    members: [...(generated ?? []), ...membersOf(inside(ruby, name, body), body)],
    reopens: true,
  };
  return around(path, ruby.lowering.at(name), { kind: 'class', class: code });
}

/** A class inside of the constants that its name goes through. */
function around(path: readonly string[], at: Located, inner: Statement): Statement {
  return path.slice(0, -1).reduceRight<Statement>(
    (member, outer) => ({
      kind: 'class',
      class: { ...at, name: outer, form: 'trait', members: [member], reopens: true },
    }),
    inner,
  );
}

function extended(type: Type | undefined): Supertype[] {
  return type ? [{ relation: 'extends', type }] : [];
}

/** A module that lends its methods to itself. */
function itself(ruby: Ruby, name: SyntaxNode, body: readonly SyntaxNode[]): Supertype[] {
  const type = extendsItself(ruby, body) ? typeOf(ruby, [name]) : undefined;
  return type ? [{ relation: 'mixes', type, static: true }] : [];
}

function inside(ruby: Ruby, name: SyntaxNode, body: readonly SyntaxNode[]): Ruby {
  return ruby.within({ className: name, locals: localsOf(ruby.lowering, body) });
}

export type Supertype = NonNullable<ClassCode['supertypes']>[number];

/** The superclass and the modules of `include`, `prepend` and `extend`. Methods of an extended module belong to the class itself. */
function supertypesOf(
  ruby: Ruby,
  body: readonly SyntaxNode[],
  first: readonly Supertype[],
): { readonly supertypes?: readonly Supertype[] } {
  const mixed = body.flatMap((each): Supertype[] => {
    const method = each.type === 'call' && !child(each, 'receiver') ? child(each, 'method') : undefined;
    const text = method ? ruby.lowering.textOf(method) : '';
    if (!MIXES.has(text)) return [];
    return named(child(each, 'arguments') ?? NO_NODE).flatMap((constant): Supertype[] => {
      const type = typeOf(ruby, [constant]);
      return type
        ? [
            {
              relation: 'mixes',
              type,
              ...(text === 'extend' && { static: true as const }),
              ...(text === 'prepend' && { first: true as const }),
            },
          ]
        : [];
    });
  });
  // The last module that is included answers first.
  const supertypes = [...mixed.reverse(), ...passedOn(ruby, body), ...first];
  return supertypes.length > 0 ? { supertypes } : {};
}

/** `A = Struct.new(:a, :b) do … end`, `A = Class.new(B) do … end`. Undefined for other values. */
export function assignedClass(ruby: Ruby, node: SyntaxNode): Statement | undefined {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (left?.type !== 'constant' || right?.type !== 'call') return undefined;
  const made = madeClass(ruby, right, left);
  if (!made) return undefined;
  const { symbol } = ruby.lowering.symbolAt(left);
  ruby.lowering.define(symbol, { exported: true });
  const named_ = { ...ruby.lowering.at(left), name: ruby.lowering.textOf(left), reopens: true } as const;
  return { kind: 'class', class: { ...made, ...named_, ...(symbol !== undefined && { symbol }) } };
}

/** The class of `Class.new(A) do … end` or `Struct.new(:a)`. `name`: the constant that it is assigned to. */
export function madeClass(ruby: Ruby, node: SyntaxNode, name?: SyntaxNode): ClassCode | undefined {
  const generated = structOf(ruby, node);
  const isClass = calls(ruby, node, /^(?:Class|Module)\.new$/);
  if (!generated && !isClass) return undefined;
  const body = bodyNodes(child(child(node, 'block') ?? NO_NODE, 'body'));
  const [base] = isClass ? named(child(node, 'arguments') ?? NO_NODE) : [];
  const type = base && typeOf(ruby, [base]);
  const own = name ? itself(ruby, name, body) : [];
  return {
    ...ruby.lowering.at(node),
    form: 'class',
    ...supertypesOf(ruby, body, [...own, ...extended(type)]),
    members: [...(generated ?? []), ...membersOf(inside(ruby, name ?? node, body), body)],
  };
}

/** `A.class_eval do … end` reopens the class. Undefined for other calls, and where `A` may be of a scope around. */
export function evaluatedClass(ruby: Ruby, node: SyntaxNode): Statement | undefined {
  const [receiver, method, block] = ['receiver', 'method', 'block'].map((field) => child(node, field));
  const path = receiver && pathOf(ruby, receiver);
  if (!receiver || !method || !block || !path || !EVALUATES.test(ruby.lowering.textOf(method)))
    return undefined;
  if (ruby.className && path[0] !== '') return undefined;
  const body = bodyNodes(child(block, 'body'));
  const members = membersOf(inside(ruby, receiver, body), body);
  const at = ruby.lowering.at(receiver);
  const [name = ''] = path.slice(-1);
  const code = {
    ...at,
    name,
    form: 'class',
    ...supertypesOf(ruby, body, []),
    members,
    reopens: true,
  } as const;
  return around(
    path.filter((part) => part !== ''),
    at,
    { kind: 'class', class: code },
  );
}

const EVALUATES = /^(?:class|module)_(?:eval|exec)$/;

function calls(ruby: Ruby, node: SyntaxNode, pattern: RegExp): boolean {
  const [receiver, method] = [child(node, 'receiver'), child(node, 'method')];
  return Boolean(
    receiver && method && pattern.test(`${ruby.lowering.textOf(receiver)}.${ruby.lowering.textOf(method)}`),
  );
}

/** The members that `Struct.new(:a, :b)` and `Data.define(:a)` make: a constructor, readers and writers. */
function structOf(ruby: Ruby, node: SyntaxNode): Statement[] | undefined {
  if (node.type !== 'call' || !calls(ruby, node, /^(?:Struct\.new|Data\.define)$/)) return undefined;
  const fields = named(child(node, 'arguments') ?? NO_NODE).filter(({ type }) => type === 'simple_symbol');
  const at = ruby.lowering.at(node);
  const constructor_: FunctionCode = {
    ...at,
    name: 'initialize',
    constructor_: true,
    parameters: plainParameters(ruby, fields),
    body: fields.map((field) => {
      const name = symbolText(ruby, field);
      return { kind: 'assign', target: fieldOf(ruby, field, name), value: { kind: 'name', ...at, name } };
    }),
  };
  return [
    { kind: 'function', function: constructor_ },
    ...fields.flatMap((field) => accessors(ruby, field, symbolText(ruby, field), 'attr_accessor', false)),
  ];
}
