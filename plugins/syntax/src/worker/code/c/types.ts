import type { Type } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Unit } from './context.js';
import { declaredBy } from './declarators.js';
import { primitiveType } from './primitives.js';
import { argumentsOfName, lastName, pathOf } from './names.js';

/** A type specifier or descriptor. Undefined for `auto`, whose value tells the type. */
export function typeOf(unit: Unit, node: SyntaxNode | undefined): Type | undefined {
  switch (node?.type) {
    case undefined:
    case 'placeholder_type_specifier':
    case 'auto':
      return undefined;
    case 'type_descriptor':
      return (
        declaredBy(unit, child(node, 'declarator'), typeOf(unit, child(node, 'type'))).type ?? {
          kind: 'other',
        }
      );
    case 'struct_specifier':
    case 'union_specifier':
    case 'class_specifier':
    case 'enum_specifier': {
      const name = child(node, 'name');
      return name ? namedType(unit, name) : anonymous(unit, node);
    }
    case 'decltype': {
      const [value] = named(node);
      return value ? { kind: 'typeof', value: unit.expression(value) } : { kind: 'other' };
    }
    case 'dependent_type':
      return typeOf(unit, named(node)[0]);
    case 'type_identifier':
    case 'identifier':
    case 'template_type':
    case 'qualified_identifier':
      return wrappedFunction(unit, node) ?? namedType(unit, node);
    case 'primitive_type':
    case 'sized_type_specifier':
      // Functions of C have one signature: what numbers they take tells nothing.
      return (
        (unit.cpp && primitiveType(unit.lowering.textOf(node), unit.lowering.at(node))) || { kind: 'other' }
      );
    default:
      return { kind: 'other' };
  }
}

/** `std::function<void(int)>` */
function wrappedFunction(unit: Unit, node: SyntaxNode): Type | undefined {
  const [signature] = argumentsOfName(node);
  if (!signature || pathOf(unit, node).at(-1) !== 'function') return undefined;
  const type = typeOf(unit, signature);
  return type?.kind === 'function' ? type : undefined;
}

function namedType(unit: Unit, node: SyntaxNode): Type {
  const given = argumentsOfName(node).map((each) => typeOf(unit, each) ?? { kind: 'other' as const });
  return {
    kind: 'named',
    ...unit.lowering.at(lastName(node)),
    path: pathOf(unit, node),
    ...(given.length > 0 && { arguments: given }),
  };
}

/** A struct or union without a name. */
function anonymous(unit: Unit, node: SyntaxNode): Type {
  const body = child(node, 'body');
  return body && node.type !== 'enum_specifier'
    ? { kind: 'object', members: unit.statements(body) }
    : { kind: 'other' };
}

/** Type parameters of a `template<…>`. */
export function templateParameters(unit: Unit, template: SyntaxNode): { readonly name: string }[] {
  return named(child(template, 'parameters') ?? NO_NODE).flatMap((parameter) => {
    if (!parameter.type.endsWith('type_parameter_declaration')) return [];
    const name = child(parameter, 'name') ?? named(parameter)[0];
    return name ? [{ name: unit.lowering.textOf(name) }] : [];
  });
}
