import type { Lower, Lowering } from '../lowering.js';
import { classOf } from './classes.js';
import type { Php } from './context.js';
import { argumentsOf, expressionOf } from './expressions.js';
import { functionOf } from './functions.js';
import { enclosed, importsOf, packageOf } from './namespaces.js';
import { statementOf, statementsIn } from './statements.js';
import { testCases } from './test-cases.js';

export const lowerPhp: Lower = (file, lowering) => {
  const root = enclosed(file);
  const name = packageOf(root);
  const path = name ? lowering.textOf(name).split('\\') : [];
  const cases = testCases(root, lowering);
  return {
    ...(name && { package: path.join('\\') }),
    body: context(lowering, {
      namespace: path,
      imports: importsOf(lowering, root),
      proved: new Map(),
    }).statements(root),
    ...(cases.length > 0 && { testCases: cases }),
  };
};

type Place = Pick<Php, 'namespace' | 'imports' | 'class' | 'proved'>;

function context(lowering: Lowering, around: Place): Php {
  const php: Php = {
    lowering,
    ...around,
    expression: (node) => expressionOf(php, node),
    statements: (node) => statementsIn(php, node),
    statement: (node, doc) => statementOf(php, node, doc),
    arguments: (node) => argumentsOf(php, node),
    function: (node, doc) => functionOf(php, node, doc),
    classStatement: (node, doc) => classOf(php, node, doc),
    within: (place) => context(lowering, { ...around, ...place }),
  };
  return php;
}
