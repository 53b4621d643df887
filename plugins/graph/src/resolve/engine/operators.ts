import type { CallSite, Instruction } from '../instructions.js';
import { Node } from '../node.js';
import type { Class, Func } from '../declarations.js';
import type { Scope } from '../program.js';
import type { Engine } from './engine.js';

type Operator = Extract<Instruction, { kind: 'operator' }>;

/**
 * Calls the function of an operator: a member of the first operand, or a function beside the class of an operand that
 * takes an object of it there. Other operands are plain values.
 */
export function linkOperator(engine: Engine, operator: Operator): void {
  const { solver, classes, builtins, calls } = engine;
  const { unit, scope, source, line, name, operands, result } = operator;
  const object = new Node();
  const functions = new Node();
  for (const [index, operand] of operands.entries()) {
    if (!operand) continue;
    solver.watch(operand, (value) => {
      if (value.kind !== 'instance' || builtins.isBuiltin(value.class)) return;
      if (index === 0 && classes.member(value.class, name, 'instance')) solver.add(object, value);
      else for (const each of functionsBeside(engine, value.class, name, index)) solver.add(functions, each);
    });
  }
  const given = operands.map((node) => ({ name: undefined, node, spread: undefined }));
  const call = (callee: CallSite['callee'], args: CallSite['arguments']): void => {
    calls.add({
      kind: 'call',
      unit,
      scope,
      source,
      line,
      name: undefined,
      callee,
      arguments: args,
      constructs: false,
      implicit: true,
      types: [],
      result,
    });
  };
  const member = { kind: 'member' as const, name, isSuper: false, isInherited: false, path: undefined };
  call({ ...member, object }, given.slice(1));
  call({ kind: 'value', node: functions }, given);
}

/** Functions of a name in the scopes around a class that take an object of it at a position. */
function functionsBeside(
  { classes, typeNames }: Engine,
  container: Class,
  name: string,
  index: number,
): Func[] {
  const found: Func[] = [];
  for (let scope: Scope | null = container.scope.parent; scope; scope = scope.parent) {
    const { names } = scope.class ? classes.canonical(scope.class).scope : scope;
    for (const each of names.get(name)?.declarations ?? []) {
      if (each.kind !== 'function') continue;
      const type = each.parameters[index]?.type;
      if (type && typeNames.classNamed(type, each.scope) === container) found.push(each);
    }
  }
  return found;
}
