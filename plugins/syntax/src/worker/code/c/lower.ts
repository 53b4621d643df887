import type { Lower, Lowering } from '../lowering.js';
import { named } from '../syntax-node.js';
import { classOf } from './classes.js';
import type { Unit } from './context.js';
import { argumentsOf, expressionOf } from './expressions.js';
import { functionOf, lambdaOf } from './functions.js';
import { inMacroNamespaces, openedIn } from './macro-namespaces.js';
import { statementOf } from './statements.js';
import { typeOf } from './types.js';

export const lowerC: Lower = (root, lowering) => ({
  body: unitOf(lowering, false).statements(root),
  ...openedIn(lowering),
});

export const lowerCpp: Lower = (root, lowering) => ({
  body: inMacroNamespaces(lowering, unitOf(lowering, true).statements(root)),
  ...openedIn(lowering),
});

function unitOf(
  lowering: Lowering,
  cpp: boolean,
  place: Partial<Pick<Unit, 'className' | 'namespace' | 'hidden' | 'local'>> = {},
): Unit {
  const unit: Unit = {
    ...place,
    lowering,
    cpp,
    expression: (node) => expressionOf(unit, node),
    arguments: (node) => argumentsOf(unit, node),
    statements: (node) => named(node).flatMap((each) => statementOf(unit, each)),
    statement: (node) => statementOf(unit, node),
    function: (node, declarator) => functionOf(unit, node, declarator),
    lambda: (node) => lambdaOf(unit, node),
    class: (node, alias) => classOf(unit, node, alias),
    type: (node) => typeOf(unit, node),
    within: (inner) => unitOf(lowering, cpp, { ...place, ...inner }),
  };
  return unit;
}
