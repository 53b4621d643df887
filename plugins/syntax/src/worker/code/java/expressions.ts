import type { Expression, FunctionCode, Parameter, Statement } from '../../../code.js';
import { withVariables } from '../pattern-variables.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { binaryOperation, held, typeValue, UNKNOWN, withHeld } from '../values.js';
import type { JavaFile } from './context.js';
import { argumentsOf, arrayCreation, creation, methodReference } from './creations.js';
import { literal } from './literals.js';
import { parametersOf } from './parameters.js';
import { declarePattern } from './patterns.js';
import { switchValue } from './switches.js';
import { typeArguments, typeOf, union } from './types.js';

export function expressionOf(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const inner = (field: string): Expression => {
    const found = child(node, field);
    return found ? file.expression(found) : UNKNOWN;
  };
  switch (node.type) {
    case 'identifier':
    case 'type_identifier':
      return { kind: 'name', name: lowering.textOf(node), ...lowering.at(node) };
    case 'this':
      return { kind: 'this', line: lowering.at(node).line };
    case 'super':
      return { kind: 'super' };
    case 'parenthesized_expression':
    case 'expression_statement':
      return only(named(node), file);
    case 'field_access':
      return fieldAccess(node, file);
    case 'array_access':
      return { kind: 'index', object: inner('array'), key: inner('index') };
    case 'method_invocation':
      return invocation(node, file);
    case 'object_creation_expression':
      return creation(node, file);
    case 'method_reference':
      return methodReference(node, file);
    case 'lambda_expression':
      return { kind: 'function', function: lambda(node, file) };
    case 'assignment_expression':
      return assignment(node, file);
    case 'ternary_expression':
      return {
        kind: 'block',
        body: [{ kind: 'evaluate', value: inner('condition') }],
        value: { kind: 'choice', of: [inner('consequence'), inner('alternative')] },
      };
    case 'cast_expression':
      return {
        kind: 'cast',
        value: inner('value'),
        type: union(
          'intersection',
          childrenIn(node, 'type').map((each) => typeOf(each, lowering)),
        ),
      };
    case 'instanceof_expression':
      return instanceOf(node, file);
    case 'switch_expression':
      return switchValue(node, file);
    case 'array_creation_expression':
      return arrayCreation(node, file);
    case 'array_initializer':
    case 'element_value_array_initializer':
      return { kind: 'list', items: file.expressions(named(node)) };
    case 'binary_expression':
      return arithmetic(node, binaryOperation(operatorOf(node), file.expressions(named(node))), file);
    case 'unary_expression':
      return operatorOf(node) === '!'
        ? { kind: 'operation', of: [inner('operand')], type: 'boolean' }
        : arithmetic(node, { kind: 'operation', of: [inner('operand')], type: 'number' }, file);
    case 'update_expression':
      return only(named(node), file);
    case 'class_literal':
      return { kind: 'operation', of: named(node).map((each) => typeValue(typeOf(each, lowering))) };
    case 'scoped_type_identifier':
    case 'generic_type':
    case 'array_type':
      return typeValue(typeOf(node, lowering));
    case 'scoped_identifier':
      return scopedName(node, file);
    default:
      return literal(node, file) ?? { kind: 'operation', of: file.expressions(named(node)) };
  }
}

function only(nodes: readonly SyntaxNode[], file: JavaFile): Expression {
  const [first] = nodes;
  return first ? file.expression(first) : UNKNOWN;
}

/** With its operator, unless the result is a boolean whatever the operands are. */
function arithmetic(
  node: SyntaxNode,
  value: Extract<Expression, { kind: 'operation' }>,
  { lowering }: JavaFile,
): Expression {
  if (value.type === 'boolean') return value;
  return { ...value, operator: { name: operatorOf(node), ...lowering.at(node) } };
}

function operatorOf(node: SyntaxNode): string {
  return child(node, 'operator')?.type ?? '';
}

/** `a.b`; `Outer.this` is this object, seen as `Outer`. */
function fieldAccess(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const object = child(node, 'object');
  const field = child(node, 'field');
  if (!object || !field) return UNKNOWN;
  if (field.type === 'this') {
    return { kind: 'cast', value: { kind: 'this' }, type: typeOf(object, lowering) };
  }
  return {
    kind: 'member',
    object: receiver(node, object, file),
    name: lowering.textOf(field),
    ...lowering.at(field),
  };
}

/** `A.super.b()` is the inherited member of `A`. */
function receiver(node: SyntaxNode, object: SyntaxNode, file: JavaFile): Expression {
  return ofType(node, 'super') && object.type !== 'super'
    ? { kind: 'cast', value: { kind: 'super' }, type: typeOf(object, file.lowering) }
    : file.expression(object);
}

/** The name of an annotation or a package. */
function scopedName(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const scope = child(node, 'scope');
  const name = child(node, 'name');
  if (!scope || !name) return UNKNOWN;
  return {
    kind: 'member',
    object: file.expression(scope),
    name: lowering.textOf(name),
    ...lowering.at(name),
  };
}

function invocation(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const object = child(node, 'object');
  const name = child(node, 'name');
  if (!name) return UNKNOWN;
  const at = lowering.at(name);
  const text = lowering.textOf(name);
  const callee: Expression = object
    ? { kind: 'member', object: receiver(node, object, file), name: text, ...at }
    : { kind: 'name', name: text, ...at };
  return {
    kind: 'call',
    callee,
    arguments: argumentsOf(child(node, 'arguments'), file),
    ...typeArguments(child(node, 'type_arguments'), lowering),
    ...at,
  };
}

function lambda(node: SyntaxNode, file: JavaFile): FunctionCode {
  const { lowering } = file;
  const given = child(node, 'parameters');
  const body = child(node, 'body');
  const name = (each: SyntaxNode): Parameter => ({ target: file.expression(each) });
  let parameters: Parameter[] = [];
  if (given?.type === 'identifier') parameters = [name(given)];
  else if (given?.type === 'inferred_parameters') parameters = named(given).map(name);
  else if (given) parameters = parametersOf(given, lowering);
  return { parameters, body: lambdaBody(body, file), ...lowering.at(node) };
}

function lambdaBody(body: SyntaxNode | undefined, file: JavaFile): Statement[] {
  if (!body) return [];
  if (body.type === 'block') return file.statements(named(body));
  const { lowered: value, declared } = withVariables(file, () => file.expression(body));
  return [...declared, { kind: 'return', value }];
}

function assignment(node: SyntaxNode, file: JavaFile): Expression {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return UNKNOWN;
  const assigned = file.expression(left);
  const value = file.expression(right);
  if (operatorOf(node) === '=') return { kind: 'assign', target: assigned, value };
  const before: Statement[] = [];
  const target = held(assigned, node, file.lowering, before);
  return withHeld(before, {
    kind: 'assign',
    target,
    value: arithmetic(node, { kind: 'operation', of: [target, value] }, file),
  });
}

function instanceOf(node: SyntaxNode, file: JavaFile): Expression {
  const left = child(node, 'left');
  const right = child(node, 'right');
  const pattern = child(node, 'pattern');
  const name = child(node, 'name');
  const tested = left ? file.expression(left) : UNKNOWN;
  const value = pattern ? held(tested, node, file.lowering, file.patternVariables) : tested;
  if (pattern) declarePattern(pattern, value, file);
  if (right && name) {
    const type = typeOf(right, file.lowering);
    file.patternVariables.push({
      kind: 'declare',
      name: file.lowering.textOf(name),
      type,
      ...file.lowering.at(name),
    });
  }
  const types = right ? [typeValue(typeOf(right, file.lowering))] : [];
  return { kind: 'operation', of: [value, ...types], type: 'boolean' };
}
