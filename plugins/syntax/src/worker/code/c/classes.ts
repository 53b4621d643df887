import type { ClassCode, FunctionCode, Statement, Type } from '../../../code.js';
import { child, named, ofType, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Unit } from './context.js';
import { ownerOf } from './functions.js';
import { lastName, pathOf } from './names.js';

/** A struct, union, class or enum with a body. */
export function classOf(unit: Unit, node: SyntaxNode, alias?: SyntaxNode): ClassCode {
  const { lowering } = unit;
  const name = child(node, 'name') ?? alias;
  const path = name ? pathOf(unit, name) : [];
  const { symbol } = name ? lowering.symbolAt(name) : {};
  lowering.define(symbol, { exported: unit.hidden !== true });
  const supertypes = named(ofType(node, 'base_class_clause') ?? NO_NODE).flatMap((each) => {
    const type = each.type === 'access_specifier' ? undefined : unit.type(each);
    return type ? [{ relation: 'extends' as const, type }] : [];
  });
  const text = path.at(-1);
  const body = child(node, 'body') ?? NO_NODE;
  return {
    ...lowering.at(name ? lastName(name) : node),
    ...(symbol !== undefined && { symbol }),
    ...(text !== undefined && { name: text }),
    ...(name && path.length > 1 && { owner: ownerOf(unit, name, path.slice(0, -1)) }),
    form: node.type === 'enum_specifier' ? 'enum' : node.type === 'class_specifier' ? 'class' : 'struct',
    ...(supertypes.length > 0 && { supertypes }),
    members:
      node.type === 'enum_specifier'
        ? enumerators(unit, body)
        : membersOf(unit.within(text === undefined ? {} : { className: text, local: false }), node, body),
  };
}

function enumerators(unit: Unit, body: SyntaxNode): Statement[] {
  const self: Type = { kind: 'self' };
  return named(body).flatMap((each): Statement[] => {
    const name = each.type === 'enumerator' ? child(each, 'name') : undefined;
    if (!name) return [];
    const at = unit.lowering.at(name);
    return [{ kind: 'declare', ...at, name: unit.lowering.textOf(name), type: self, static: true }];
  });
}

/** Members by their section. Friends are not members: see {@link friendsOf}. */
function membersOf(unit: Unit, node: SyntaxNode, body: SyntaxNode): Statement[] {
  let access = node.type === 'class_specifier' ? 'private' : 'public';
  return body.children.flatMap((each) => {
    if (each.type === 'access_specifier') {
      access = unit.lowering.textOf(each);
      return [];
    }
    if (!each.named || each.type === 'friend_declaration') return [];
    return unit.within({ hidden: unit.hidden === true || access === 'private' }).statement(each);
  });
}

/** Functions that a class defines or declares as its friends belong to the scope around the class. */
export function friendsOf(unit: Unit, node: SyntaxNode): Statement[] {
  return named(child(node, 'body') ?? NO_NODE).flatMap((each): Statement[] => {
    if (each.type !== 'friend_declaration') return [];
    const definition = ofType(each, 'function_definition');
    const code = definition ? unit.function(definition) : friendPrototype(unit, ofType(each, 'declaration'));
    return code ? [{ kind: 'function', function: code }] : [];
  });
}

function friendPrototype(unit: Unit, node: SyntaxNode | undefined): FunctionCode | undefined {
  const code = node && unit.function(node);
  return code?.owner ? undefined : code;
}
