import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import type { Operation } from '../instructions.js';
import { argumentsNamed, lookUp } from './names.js';
import { originOf } from './origin.js';
import type { Place, Walker } from './walker.js';

/** `isWhole`: see `Use`. */
export function compileName(
  walker: Walker,
  { name, line }: Extract<code.Expression, { kind: 'name' }>,
  place: Place,
  isWhole: boolean,
): Node {
  const whole = argumentsNamed(name, place.scope);
  if (whole) return whole;
  const binding = lookUp(name, place.scope);
  walker.use(binding, line, place, isWhole);
  return walker.read(binding, place);
}

export function compileLoad(
  { unit }: Walker,
  expression: Extract<code.Expression, { kind: 'import' }>,
  { source }: Place,
  isWhole: boolean,
): Node {
  const { line, module, async: isAsync = false } = expression;
  const node = new Node();
  unit.instructions.push({ kind: 'module', unit, source, line, module, isAsync, isWhole, node });
  return node;
}

/** Compiles an expression of which only members are taken. */
export function compileObject(walker: Walker, expression: code.Expression, place: Place): Node | undefined {
  if (expression.kind === 'name') return compileName(walker, expression, place, false);
  if (isPlainSuper(expression)) {
    if (expression.call) walker.expression(expression.call, place);
    return place.thisNode;
  }
  if (expression.kind === 'import') return compileLoad(walker, expression, place, false);
  if (expression.kind !== 'await' || expression.value.kind !== 'import')
    return walker.expression(expression, place);
  return operate(
    walker,
    'await',
    expression.value,
    compileLoad(walker, expression.value, place, false),
    place,
  );
}

/** `super` of the class around it. */
export function isPlainSuper(
  expression: code.Expression,
): expression is Extract<code.Expression, { kind: 'super' }> {
  return expression.kind === 'super' && !expression.of;
}

export function operation(
  walker: Walker,
  name: Operation,
  of: code.Expression,
  place: Place,
): Node | undefined {
  const value = walker.expression(of, place);
  return value && operate(walker, name, of, value, place);
}

/** An operation on a value that is evaluated already. */
export function operate(
  { unit }: Walker,
  name: Operation,
  of: code.Expression,
  value: Node,
  place: Place,
): Node {
  const node = new Node();
  unit.instructions.push({
    kind: 'operation',
    unit,
    origin: originOf(unit, of, place),
    operation: name,
    value,
    node,
  });
  return node;
}
