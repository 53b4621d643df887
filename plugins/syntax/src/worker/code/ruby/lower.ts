import type { Lower, Lowering } from '../lowering.js';
import { named } from '../syntax-node.js';
import { madeClass } from './classes.js';
import type { Ruby } from './context.js';
import { argumentsOf, expressionOf } from './expressions.js';
import { functionOf } from './functions.js';
import { localsOf } from './locals.js';
import { returning, statementOf } from './statements.js';
import { testCases } from './test-cases.js';

export const lowerRuby: Lower = (root, lowering) => {
  const nodes = named(root);
  const cases = testCases(nodes, lowering);
  return {
    body: rubyOf(lowering, { locals: localsOf(lowering, nodes) }).statements(nodes),
    ...(cases.length > 0 && { testCases: cases }),
  };
};

function rubyOf(
  lowering: Lowering,
  place: Pick<Ruby, 'locals'> & Partial<Pick<Ruby, 'className' | 'method'>>,
): Ruby {
  const ruby: Ruby = {
    ...place,
    lowering,
    expression: (node) => expressionOf(ruby, node),
    statements: (nodes) => nodes.flatMap((each) => statementOf(ruby, each)),
    returning: (nodes) => returning(ruby, nodes),
    arguments: (list, block) => argumentsOf(ruby, list, block),
    function: (node, extra) => functionOf(ruby, node, extra),
    madeClass: (node) => madeClass(ruby, node),
    within: (inner) => rubyOf(lowering, { ...place, ...inner }),
  };
  return ruby;
}
