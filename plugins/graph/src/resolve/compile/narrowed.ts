import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import { Variable } from '../program.js';
import { declareVariable } from './classes.js';
import { lookUp } from './names.js';
import type { Place, Walker } from './walker.js';

/**
 * A variable of its own for a name where a condition proves something of it. What is assigned there is seen around it.
 * Where flow is ordered, a state of the variable.
 */
export function compileNarrowed(
  walker: Walker,
  statement: code.Declare,
  narrows: code.Narrowed,
  place: Place,
): void {
  const { name, type } = statement;
  const { unit } = walker;
  const binding = lookUp(name, place.scope);
  const around = 'kind' in binding ? undefined : binding;
  const { test, argument } = narrows;
  if (unit.rules.flow === 'ordered') {
    if (!type || !around || around.declarations) return;
    const node = new Node();
    const value = walker.read(around, place);
    const excludes = narrows.excludes === true;
    unit.instructions.push({ kind: 'proved', scope: place.scope, type, excludes, value, node });
    place.flow.narrow(around, node);
    return;
  }
  // Functions, classes and imports are known by their declarations.
  if (test && (!around || around.declarations)) return;
  const variable = new Variable(name, place.scope);
  variable.narrowed = around;
  place.scope.adopt(variable);
  if (type) {
    variable.type = type;
    declareVariable(walker, variable, statement, place);
  }
  if (!test || !around || argument === undefined) return;
  unit.instructions.push({
    kind: 'narrowed',
    scope: place.scope,
    test,
    argument,
    excludes: narrows.excludes === true,
    value: around.node,
    node: variable.node,
  });
}
