import type { Parameter, Type } from '../../../code.js';
import { child, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import type { Unit } from './context.js';
import { isPrimitive } from './primitives.js';

/** What a declarator declares. */
export interface Declared {
  /** Absent for an abstract declarator. */
  readonly name?: SyntaxNode;
  readonly type?: Type;
  /** The declarator of a function: its parameters; `type` is then what the function returns. */
  readonly function?: SyntaxNode;
}

/** Reads a declarator from the outside in: each step wraps the type, the name is the innermost node. */
export function declaredBy(unit: Unit, node: SyntaxNode | undefined, type: Type | undefined): Declared {
  if (!node) return { ...(type && { type }) };
  const inner = withoutParentheses(
    child(node, 'declarator') ?? named(node).find(({ type: kind }) => DECLARATOR.test(kind)),
  );
  switch (node.type) {
    case 'pointer_declarator':
    case 'abstract_pointer_declarator':
      return declaredBy(
        unit,
        inner,
        type && (isPointed(unit, type) ? { kind: 'list', of: type } : { kind: 'wrapper', of: type }),
      );
    case 'reference_declarator':
    case 'abstract_reference_declarator':
      return declaredBy(unit, inner, type && { kind: 'wrapper', of: type });
    case 'array_declarator':
    case 'abstract_array_declarator':
      return declaredBy(unit, inner, type && { kind: 'list', of: type });
    case 'function_declarator':
    case 'abstract_function_declarator': {
      const trailing = named(node).find(({ type: kind }) => kind === 'trailing_return_type');
      const returns = trailing ? unit.type(named(trailing)[0]) : type;
      if (node.type === 'function_declarator' && isName(inner)) {
        return { name: inner, function: node, ...(returns && { type: returns }) };
      }
      const parameters = parametersOf(unit, child(node, 'parameters')).map((each) => each.type ?? UNKNOWN);
      return declaredBy(unit, inner, { kind: 'function', parameters, ...(returns && { returns }) });
    }
    case 'parenthesized_declarator':
    case 'abstract_parenthesized_declarator':
    case 'attributed_declarator':
    case 'variadic_declarator':
    case 'init_declarator':
    case 'pointer_type_declarator':
      return declaredBy(unit, inner, type);
    case 'qualified_identifier': {
      // `int (Foo::*f)(int)`: a pointer to a member.
      const pointer = child(node, 'name');
      return pointer?.type === 'pointer_type_declarator'
        ? declaredBy(unit, pointer, type)
        : { name: node, ...(type && { type }) };
    }
    default:
      return { name: node, ...(type && { type }) };
  }
}

/**
 * A pointer to numbers or characters is what an array of them is passed as, and no number itself. In C++, which has functions
 * for operators and for arguments of each type, the same holds for objects. One to a function or to anything is neither.
 */
function isPointed(unit: Unit, type: Type): boolean {
  if (unit.cpp) return type.kind !== 'function' && type.kind !== 'other';
  return isPrimitive(type) || (type.kind === 'list' && isPointed(unit, type.of));
}

const UNKNOWN: Type = { kind: 'other' };
const DECLARATOR = /declarator$|^(?:identifier|field_identifier|type_identifier|qualified_identifier)$/;

/** `int (f)(int)`: the name of a function in parentheses, against a macro of that name. */
function withoutParentheses(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const [only, another] = node?.type === 'parenthesized_declarator' ? named(node) : [];
  return only && !another && only.type.endsWith('identifier') ? only : node;
}

function isName(node: SyntaxNode | undefined): node is SyntaxNode {
  return node !== undefined && !node.type.endsWith('declarator');
}

/** Parameters of a function; `(void)` has none. */
export function parametersOf(unit: Unit, list: SyntaxNode | undefined): Parameter[] {
  const parameters = named(list ?? NO_NODE).filter(({ type }) => type !== 'requires_clause');
  return parameters.flatMap((node): Parameter[] => {
    const at = unit.lowering.at(node);
    if (node.type === 'variadic_parameter')
      return [{ target: { kind: 'name', ...at, name: '' }, rest: 'list' }];
    if (node.type === 'identifier') return [{ target: unit.expression(node) }];
    const specifier = child(node, 'type');
    const declarator = child(node, 'declarator');
    if (!declarator && specifier?.type === 'primitive_type' && unit.lowering.textOf(specifier) === 'void')
      return [];
    const { name, type, function: callable } = declaredBy(unit, declarator, unit.type(specifier));
    const parameterType = callable ? functionType(unit, callable, type) : type;
    const value = child(node, 'default_value');
    return [
      {
        target: name
          ? { kind: 'name', ...unit.lowering.at(name), name: unit.lowering.textOf(name) }
          : { kind: 'name', ...at, name: '' },
        ...(parameterType && { type: parameterType }),
        ...(value && { default: unit.expression(value) }),
        ...(node.type === 'variadic_parameter_declaration' && { rest: 'list' }),
      },
    ];
  });
}

/** A parameter that is declared like a function is a pointer to one. */
function functionType(unit: Unit, node: SyntaxNode, returns: Type | undefined): Type {
  const parameters = parametersOf(unit, child(node, 'parameters')).map((each) => each.type ?? UNKNOWN);
  return { kind: 'function', parameters, ...(returns && { returns }) };
}
