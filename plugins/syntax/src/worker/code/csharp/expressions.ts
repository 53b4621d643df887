import type { Argument, Expression, FunctionCode, Literal, Statement } from '../../../code.js';
import { withVariables } from '../pattern-variables.js';
import { child, ofType, type SyntaxNode } from '../syntax-node.js';
import { binaryOperation, held, typeValue, UNKNOWN, withHeld } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { anonymousObject, argumentsOf, arrayCreation, creation, keyOf, withExpression } from './creations.js';
import { literal } from './literals.js';
import { parametersOf } from './parameters.js';
import { matchPattern } from './patterns.js';
import { queryValue } from './queries.js';
import { optionalType, typeArguments, typeOf } from './types.js';

export function expressionOf(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const inner = (field: string): Expression => {
    const found = child(node, field);
    return found ? file.expression(found) : UNKNOWN;
  };
  const all = (type?: Literal['type']): Expression => ({
    kind: 'operation',
    of: file.expressions(parts(node)),
    ...(type && { type }),
  });
  switch (node.type) {
    case 'identifier':
      return { kind: 'name', name: nameText(node, lowering), ...lowering.at(node) };
    case 'this':
      return { kind: 'this', line: lowering.at(node).line };
    case 'base':
      return { kind: 'super' };
    case 'parenthesized_expression':
    case 'checked_expression':
    case 'ref_expression':
      return only(node, file);
    case 'postfix_unary_expression':
    case 'prefix_unary_expression':
      return unary(node, file);
    case 'generic_name':
    case 'qualified_name':
    case 'alias_qualified_name':
    case 'predefined_type':
    case 'nullable_type':
    case 'array_type':
      return typeValue(typeOf(node, lowering));
    case 'member_access_expression':
      return member(inner('expression'), child(node, 'name'), file);
    case 'conditional_access_expression':
      return conditionalAccess(node, file);
    case 'element_access_expression':
      return { kind: 'index', object: inner('expression'), ...keyOf(child(node, 'subscript'), file) };
    case 'invocation_expression':
      return invocation(node, file);
    case 'object_creation_expression':
    case 'implicit_object_creation_expression':
      return creation(node, file);
    case 'with_expression':
      return withExpression(node, file);
    case 'anonymous_object_creation_expression':
      return anonymousObject(node, file);
    case 'array_creation_expression':
    case 'implicit_array_creation_expression':
    case 'stackalloc_expression':
    case 'implicit_stackalloc_expression':
      return arrayCreation(node, file);
    case 'initializer_expression':
      return { kind: 'list', items: file.expressions(parts(node)) };
    case 'element_binding_expression':
      return { kind: 'list', items: argumentsOf(node, file).map(({ value }) => value) };
    case 'tuple_expression':
      return tuple(argumentsOf(node, file));
    case 'lambda_expression':
    case 'anonymous_method_expression':
      return { kind: 'function', function: lambda(node, file) };
    case 'assignment_expression':
      return assignment(node, file);
    case 'conditional_expression':
      return {
        kind: 'block',
        body: [{ kind: 'evaluate', value: inner('condition') }],
        value: { kind: 'choice', of: [inner('consequence'), inner('alternative')] },
      };
    case 'cast_expression':
      return cast(converted(node, inner('value'), file), child(node, 'type'), file);
    case 'as_expression':
      return cast(inner('left'), child(node, 'right'), file);
    case 'is_expression':
    case 'is_pattern_expression':
      return isPattern(node, file);
    case 'switch_expression':
      return switchValue(node, file);
    case 'await_expression':
      return { kind: 'await', value: only(node, file) };
    case 'query_expression':
      return queryValue(node, file);
    case 'binary_expression':
      return binary(node, file);
    case 'typeof_expression':
    case 'sizeof_expression': {
      const type = child(node, 'type');
      return { kind: 'operation', of: type ? [typeValue(typeOf(type, lowering))] : [] };
    }
    case 'default_expression':
      return cast({ kind: 'literal', type: 'null' }, child(node, 'type'), file);
    case 'declaration_expression':
      return declaration(node, file);
    case 'interpolated_string_expression':
      return { kind: 'operation', of: parts(node).map((each) => interpolated(each, file)), type: 'string' };
    default:
      return literal(node, file) ?? all();
  }
}

/** `{a}` in a text is asked for its own; that of `{a,5:x}` is formatted. */
function interpolated(node: SyntaxNode, file: CSharpFile): Expression {
  const [first, ...others] = parts(node).filter(({ type }) => type !== 'interpolation_brace');
  if (node.type !== 'interpolation' || !first) return file.expression(node);
  const value = operation(
    node,
    'string',
    { kind: 'operation', of: [file.expression(first)], type: 'string' },
    file,
  );
  return others.length === 0 ? value : { kind: 'operation', of: [value, ...file.expressions(others)] };
}

/** Elements without a name have that of the member or variable which they are: `(a.Size, b)`. */
function tuple(elements: readonly Argument[]): Expression {
  const names = elements.map(
    ({ name, value }) => name ?? (value.kind === 'name' || value.kind === 'member' ? value.name : ''),
  );
  return { kind: 'tuple', items: elements.map(({ value }) => value), names };
}

function only(node: SyntaxNode, file: CSharpFile): Expression {
  const first = parts(node)[0];
  return first ? file.expression(first) : UNKNOWN;
}

function cast(value: Expression, type: SyntaxNode | undefined, file: CSharpFile): Expression {
  return type ? { kind: 'cast', value, type: typeOf(type, file.lowering) } : value;
}

/** `(int)a` of an object runs an operator of its class. */
function converted(node: SyntaxNode, value: Expression, file: CSharpFile): Expression {
  const type = child(node, 'type');
  if (type?.type !== 'predefined_type' || value.kind === 'literal') return value;
  const name = file.lowering.textOf(type);
  return name === 'object' ? value : operation(node, `(${name})`, { kind: 'operation', of: [value] }, file);
}

function member(object: Expression, name: SyntaxNode | undefined, file: CSharpFile): Expression {
  if (!name) return UNKNOWN;
  const plain = name.type === 'generic_name' ? (ofType(name, 'identifier') ?? name) : name;
  return { kind: 'member', object, name: nameText(plain, file.lowering), ...file.lowering.at(plain) };
}

/** `a?.b`, `a?[b]`. */
function conditionalAccess(node: SyntaxNode, file: CSharpFile): Expression {
  const condition = child(node, 'condition');
  const binding = parts(node).findLast((each) => each !== condition);
  const object = condition ? file.expression(condition) : UNKNOWN;
  if (binding?.type === 'member_binding_expression') return member(object, child(binding, 'name'), file);
  if (binding?.type === 'element_binding_expression')
    return { kind: 'index', object, ...keyOf(binding, file) };
  return { kind: 'operation', of: [object, ...(binding ? [file.expression(binding)] : [])] };
}

function invocation(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const called = child(node, 'function');
  if (!called) return UNKNOWN;
  const values = argumentsOf(child(node, 'arguments'), file);
  if (called.type === 'identifier' && lowering.textOf(called) === 'nameof') {
    return { kind: 'operation', of: values.map(({ value }) => value), type: 'string' };
  }
  const binding = called.type === 'conditional_access_expression' ? parts(called).at(-1) : called;
  const name = binding && (child(binding, 'name') ?? binding);
  const callee = file.expression(called);
  const at = 'start' in callee ? { start: callee.start, line: callee.line } : lowering.at(called);
  return { kind: 'call', callee, arguments: values, ...typeArguments(name, lowering), ...at };
}

function lambda(node: SyntaxNode, file: CSharpFile): FunctionCode {
  const body = child(node, 'body') ?? ofType(node, 'block');
  const isAsync = node.children.some((each) => file.lowering.textOf(each) === 'async');
  file.results.push(undefined);
  const statements = body ? file.body(body) : [];
  file.results.pop();
  return {
    parameters: parametersOf(child(node, 'parameters'), file).parameters,
    body: statements,
    ...(isAsync && { async: true }),
    ...file.lowering.at(node),
  };
}

/** `a += b` also adds a handler to an event. */
function assignment(node: SyntaxNode, file: CSharpFile): Expression {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return UNKNOWN;
  const given = file.expression(right);
  if (left.type === 'identifier' && file.lowering.textOf(left) === '_') return given;
  const assigned = file.expression(left);
  const operator = child(node, 'operator')?.type;
  if (operator === '=' || operator === '??=') return { kind: 'assign', target: assigned, value: given };
  const before: Statement[] = [];
  const target = held(assigned, node, file.lowering, before);
  const value = operator === '+=' ? held(given, node, file.lowering, before) : given;
  const changed = operation(node, operator ?? '', { kind: 'operation', of: [target, value] }, file);
  const result: Expression = operator === '+=' ? { kind: 'choice', of: [changed, value] } : changed;
  return withHeld(before, { kind: 'assign', target, value: result });
}

/** An operation with its operator, which types may define. */
function operation(
  node: SyntaxNode,
  name: string,
  value: Extract<Expression, { kind: 'operation' }>,
  { lowering }: CSharpFile,
): Expression {
  return { ...value, operator: { name, ...lowering.at(node) } };
}

/** `a!` says that it is not null; `^1` counts from the end. */
function unary(node: SyntaxNode, file: CSharpFile): Expression {
  const text = file.lowering.textOf(node);
  const isPostfix = node.type === 'postfix_unary_expression';
  const sign = (isPostfix ? /(?:\+\+|--|!)$/ : /^(?:\+\+|--|[-+!~])/).exec(text)?.[0];
  if (isPostfix && sign === '!') return only(node, file);
  const type = sign === '!' ? ('boolean' as const) : ('number' as const);
  const value = { kind: 'operation' as const, of: file.expressions(parts(node)), type };
  return sign === undefined ? value : operation(node, sign, value, file);
}

function isPattern(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const left = child(node, 'expression') ?? child(node, 'left');
  const right = child(node, 'right');
  const pattern = child(node, 'pattern');
  const tested = left ? file.expression(left) : UNKNOWN;
  const value = pattern ? held(tested, node, file.lowering, file.patternVariables) : tested;
  const matched = pattern ? matchPattern(pattern, value, file) : [];
  return {
    kind: 'operation',
    of: [value, ...(right ? [typeValue(typeOf(right, lowering))] : []), ...matched],
    type: 'boolean',
  };
}

/** The variables of an arm are declared in a block of its own. */
function switchValue(node: SyntaxNode, file: CSharpFile): Expression {
  const [subject, ...rest] = parts(node);
  const before: Statement[] = [];
  const value = held(subject ? file.expression(subject) : UNKNOWN, node, file.lowering, before);
  const arms = rest.flatMap((arm): Expression[] => {
    if (arm.type !== 'switch_expression_arm') return [];
    const [pattern, ...others] = parts(arm);
    const result = others.at(-1);
    const { lowered, declared } = withVariables(file, () => {
      const matched = pattern ? matchPattern(pattern, value, file) : [];
      const conditions = [...matched, ...others.slice(0, -1).map((each) => only(each, file))];
      return { conditions, chosen: result ? file.expression(result) : UNKNOWN };
    });
    const evaluated = lowered.conditions.map((each) => ({ kind: 'evaluate' as const, value: each }));
    return [{ kind: 'block', body: [...declared, ...evaluated], value: lowered.chosen }];
  });
  return {
    kind: 'block',
    body: [...before, { kind: 'evaluate', value }],
    value: { kind: 'choice', of: arms },
  };
}

function binary(node: SyntaxNode, file: CSharpFile): Expression {
  const of = file.expressions(parts(node));
  const operator = child(node, 'operator')?.type ?? '';
  return operator === '??'
    ? { kind: 'choice', of }
    : operation(node, operator, binaryOperation(operator, of), file);
}

/** `out var a`: declares a variable and is it. */
function declaration(node: SyntaxNode, file: CSharpFile): Expression {
  const { lowering } = file;
  const name = child(node, 'name');
  if (!name) return UNKNOWN;
  const at = lowering.at(name);
  const text = nameText(name, lowering);
  file.patternVariables.push({
    kind: 'declare',
    name: text,
    ...optionalType(child(node, 'type'), lowering),
    ...at,
  });
  return { kind: 'name', name: text, ...at };
}
