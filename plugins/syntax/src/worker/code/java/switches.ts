import type { Expression, Statement } from '../../../code.js';
import { withVariables } from '../pattern-variables.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { held, UNKNOWN } from '../values.js';
import type { JavaFile } from './context.js';
import { declarePattern } from './patterns.js';

/** The variable that `yield` assigns. Not an identifier of Java. */
const YIELDED = '<yield>';

/** A switch that is a statement. */
export function switchStatement(node: SyntaxNode, file: JavaFile): Statement[] {
  const { value, before } = subject(node, file);
  return [...before, { kind: 'branch', arms: arms(node, value, file, false) }];
}

/** A switch that is a value: each arm assigns it. */
export function switchValue(node: SyntaxNode, file: JavaFile): Expression {
  const { value, before } = subject(node, file);
  const at = file.lowering.at(node);
  return {
    kind: 'block',
    body: [
      ...before,
      { kind: 'declare', name: YIELDED, ...at },
      { kind: 'branch', arms: arms(node, value, file, true), total: true },
    ],
    value: { kind: 'name', name: YIELDED, ...at },
  };
}

/** The value that arms match, which is evaluated before them. */
function subject(node: SyntaxNode, file: JavaFile): { value: Expression; before: Statement[] } {
  const condition = child(node, 'condition');
  const before: Statement[] = [];
  const value = held(condition ? file.expression(condition) : UNKNOWN, node, file.lowering, before);
  return { value, before: [...before, { kind: 'evaluate', value }] };
}

function arms(node: SyntaxNode, value: Expression, file: JavaFile, yields: boolean): Statement[][] {
  const body = child(node, 'body');
  return (body ? named(body) : []).map((group): Statement[] => {
    const labels = named(group).filter((each) => each.type === 'switch_label');
    const rest = named(group).filter((each) => each.type !== 'switch_label');
    const guards = withVariables(file, () => labels.flatMap((label) => labelValues(label, value, file)));
    const [only] = rest;
    const single = yields && group.type === 'switch_rule' && only?.type === 'expression_statement';
    const { lowered: statements, declared } = withVariables(file, () =>
      single ? [assignYielded(only, file)] : file.statements(rest),
    );
    return [{ kind: 'block', body: [...guards.declared, ...guards.lowered, ...declared, ...statements] }];
  });
}

/** The values of `case` and `when`. A bare name is a constant of the enum, which no scope holds. */
function labelValues(label: SyntaxNode, value: Expression, file: JavaFile): Statement[] {
  return named(label).flatMap((each): Statement[] => {
    if (each.type === 'pattern') {
      declarePattern(each, value, file);
      return [];
    }
    if (each.type === 'identifier') return [];
    const constant = file.expression(each);
    return constant.kind === 'literal' ? [] : [{ kind: 'evaluate', value: constant }];
  });
}

/** `yield value;`, and the value of an arm. */
export function assignYielded(node: SyntaxNode, file: JavaFile): Statement {
  const [value] = named(node);
  return {
    kind: 'assign',
    target: { kind: 'name', name: YIELDED, ...file.lowering.at(node) },
    value: value ? file.expression(value) : UNKNOWN,
  };
}
