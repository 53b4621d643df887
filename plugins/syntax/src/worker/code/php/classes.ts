import type { ClassCode, Declare, Expression, Statement, Type } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { docTags, type DocTag } from './doc.js';
import { templates } from './functions.js';
import { nameOf } from './names.js';
import { docType, typeOf } from './types.js';

const FORMS: Readonly<Record<string, ClassCode['form']>> = {
  interface_declaration: 'interface',
  trait_declaration: 'trait',
  enum_declaration: 'enum',
};

export function classOf(outer: Php, node: SyntaxNode, doc?: string): Statement & { readonly kind: 'class' } {
  const { lowering } = outer;
  const name = child(node, 'name');
  const base = ofType(node, 'base_clause');
  const parent = base && named(base)[0];
  const php = outer.within({ class: { ...(name && { name }), ...(parent && { parent }) } });
  const body = named(child(node, 'body') ?? node);
  const tags = docTags(doc);
  const types = templates(php, tags, node);
  const supertypes = supertypesOf(php, node, body, tags);
  const { symbol } = name ? lowering.symbolAt(name) : {};
  lowering.define(symbol, { exported: true });
  return {
    kind: 'class',
    class: {
      ...lowering.at(name ?? node),
      ...(symbol !== undefined && { symbol }),
      ...(name && { name: lowering.textOf(name) }),
      form: FORMS[node.type] ?? 'class',
      ...(types.length > 0 && { types }),
      ...(supertypes.length > 0 && { supertypes }),
      members: [
        ...documented(php, node, tags),
        ...(node.type === 'enum_declaration' ? enumMembers(php, node) : []),
        ...body.flatMap((each) => adaptations(php, each)),
        ...php.statements(child(node, 'body') ?? node),
      ],
    },
  };
}

type Supertype = NonNullable<ClassCode['supertypes']>[number];

function supertypesOf(
  php: Php,
  node: SyntaxNode,
  body: readonly SyntaxNode[],
  tags: readonly DocTag[],
): Supertype[] {
  const generic = tags
    .filter(({ tag }) => tag === 'extends' || tag === 'implements' || tag === 'use')
    .flatMap(({ type }) => docType(php, type, php.lowering.at(node)) ?? []);
  const of = (relation: Supertype['relation'], names: readonly SyntaxNode[]): Supertype[] =>
    names.flatMap((each) => {
      const type = typeOf(php, each);
      return type ? [{ relation, type: withArguments(type, generic) }] : [];
    });
  const traits = body.filter(({ type }) => type === 'use_declaration');
  const clause = (type: string): SyntaxNode[] => named(ofType(node, type) ?? { ...node, children: [] });
  return [
    ...of(
      'mixes',
      traits.flatMap((use) => named(use).filter(({ type }) => type !== 'use_list')),
    ),
    ...of('extends', clause('base_clause')),
    ...of('implements', clause('class_interface_clause')),
  ];
}

/** The arguments that the doc comment gives to a supertype: `@extends Repository<User>`. */
function withArguments(type: Type, generic: readonly Type[]): Type {
  if (type.kind !== 'named') return type;
  const found = generic.find((each) => each.kind === 'named' && each.path.at(-1) === type.path.at(-1));
  return found?.kind === 'named' && found.arguments ? { ...type, arguments: found.arguments } : type;
}

/** `A::m insteadof B` and `A::m as n` are members with the value `A::m`. */
function adaptations(php: Php, use: SyntaxNode): Declare[] {
  if (use.type !== 'use_declaration') return [];
  const first = named(use).find(({ type }) => type !== 'use_list');
  return named(ofType(use, 'use_list') ?? { ...use, children: [] }).flatMap((clause): Declare[] => {
    const [method, ...rest] = named(clause);
    const [trait, selected] =
      method?.type === 'class_constant_access_expression' ? named(method) : [first, method];
    const alias = clause.type === 'use_as_clause' ? rest.find(({ type }) => type === 'name') : selected;
    if (!trait || !selected || !alias) return [];
    const name = php.lowering.textOf(selected);
    const value: Expression = {
      kind: 'member',
      ...php.lowering.at(selected),
      object: nameOf(php, trait),
      name,
    };
    return [{ kind: 'declare', ...php.lowering.at(alias), name: php.lowering.textOf(alias), value }];
  });
}

/** Members that a doc comment declares: `@property User $user`, `@method User find(int $id)`. */
function documented(php: Php, node: SyntaxNode, tags: readonly DocTag[]): Statement[] {
  const at = php.lowering.at(node);
  return tags.flatMap(({ tag, type: text, name }): Statement[] => {
    const type = docType(php, text, at);
    if (name === undefined || !type) return [];
    if (tag === 'property') return [{ kind: 'declare', ...at, name, type }];
    return tag === 'method'
      ? [{ kind: 'function', function: { ...at, name, parameters: [], returns: type } }]
      : [];
  });
}

/** Members that the language adds to each enum. */
function enumMembers(php: Php, node: SyntaxNode): Statement[] {
  const at = php.lowering.at(node);
  const self: Type = { kind: 'self' };
  const member = (name: string, returns: Type): Statement => ({
    kind: 'function',
    function: { ...at, name, parameters: [], returns, static: true },
  });
  return [member('cases', { kind: 'list', of: self }), member('from', self), member('tryFrom', self)];
}
