import type { ClassCode, FunctionCode, Parameter, Statement } from '../../../code.js';
import { namespaceCode } from '../namespaces.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { attributesOfFields } from './attributes.js';
import { nameText, type CSharpFile } from './context.js';
import { baseList, describe, hasModifier } from './definitions.js';
import { constructorCall, delegate, enumConstants } from './members.js';
import { parametersOf } from './parameters.js';
import { typeOf, typeParameters } from './types.js';

const FORMS: Readonly<Record<string, ClassCode['form']>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  struct_declaration: 'struct',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

/** A type or namespace. Undefined for other nodes. */
export function declarationOf(node: SyntaxNode, file: CSharpFile): readonly Statement[] | undefined {
  if (FORMS[node.type]) return [{ kind: 'class', class: classOf(node, file) }];
  if (node.type === 'delegate_declaration') return delegate(node, file);
  return node.type === 'namespace_declaration' ? [namespace(node, file)] : undefined;
}

/** A namespace in a namespace, or one of several in a file. */
function namespace(node: SyntaxNode, file: CSharpFile): Statement {
  const { lowering } = file;
  const name = child(node, 'name');
  const body = child(node, 'body');
  const { symbol } = name ? lowering.symbolAt(name) : { symbol: undefined };
  lowering.define(symbol, { exported: true });
  const path = name ? lowering.textOf(name).replaceAll(/\s+/g, '').split('.') : [];
  const place = { ...lowering.at(name ?? node), ...(symbol !== undefined && { symbol }) };
  const members = body ? file.statements(named(body)) : [];
  return { kind: 'class', class: namespaceCode(path, place, members) };
}

function classOf(node: SyntaxNode, file: CSharpFile): ClassCode {
  const { lowering } = file;
  const name = child(node, 'name');
  const { symbol } = name ? lowering.symbolAt(name) : { symbol: undefined };
  const form = node.children.some((each) => each.type === 'struct')
    ? 'struct'
    : (FORMS[node.type] ?? 'class');
  const { decorators: own = [] } = describe(node, symbol, file);
  const body = child(node, 'body');
  const decorators = [...own, ...(body ? attributesOfFields(body, file) : [])];
  const text = name ? nameText(name, lowering) : '';
  const members =
    form === 'enum'
      ? enumConstants(body ?? node, text, file)
      : [...primaryMembers(node, file), ...(body ? file.statements(named(body)) : [])];
  return {
    ...(symbol !== undefined && { symbol }),
    name: text,
    form,
    ...typeParameters(node, lowering),
    ...supertypes(node, form, file),
    members,
    ...(hasModifier(node, 'partial', lowering) && { reopens: true }),
    ...(decorators.length > 0 && { decorators }),
    ...lowering.at(name ?? node),
  };
}

/** The first type of a class may be a class or an interface. The names tell them apart by convention. */
function supertypes(
  node: SyntaxNode,
  form: ClassCode['form'],
  file: CSharpFile,
): Pick<ClassCode, 'supertypes'> {
  const { lowering } = file;
  if (form === 'enum') return {};
  const supers = baseList(node).map((each) => {
    const type = typeOf(
      each.type === 'primary_constructor_base_type' ? (child(each, 'type') ?? each) : each,
      lowering,
    );
    const name = type.kind === 'named' ? (type.path.at(-1) ?? '') : '';
    const isInterface = form === 'struct' || (form === 'class' && /^I[A-Z]/.test(name));
    return { relation: isInterface ? ('implements' as const) : ('extends' as const), type };
  });
  return supers.length > 0 ? { supertypes: supers } : {};
}

/** The parameters of a class are visible in its members; those of a record are its properties. */
function primaryMembers(node: SyntaxNode, file: CSharpFile): Statement[] {
  const { lowering } = file;
  const list = ofType(node, 'parameter_list');
  if (!list) return [];
  const parameters = parametersOf(list, file).parameters.map((each): Parameter => ({ ...each, field: true }));
  const fields = parameters.flatMap(({ target, type }): Statement[] =>
    target.kind === 'name' ? [{ ...target, kind: 'declare', ...(type && { type }) }] : [],
  );
  const base = ofType(node, 'base_list');
  const first = base && named(base)[0];
  const given = first && (ofType(first, 'argument_list') ?? ofType(base, 'argument_list'));
  const body = first && given ? [constructorCall(first, given, file)] : [];
  const constructor: FunctionCode = { constructor_: true, parameters, body, ...lowering.at(list) };
  return [...fields, { kind: 'function', function: constructor }];
}
