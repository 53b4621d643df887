import type { Expression, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { optionalType } from './types.js';

/** `from a in b … select c` as loops that make a list. */
export function queryValue(node: SyntaxNode, file: CSharpFile): Expression {
  const body: Statement[] = [];
  let value: Expression = { kind: 'list', items: [] };
  for (const clause of named(node)) {
    // `into a` names the result so far and goes on with it.
    if (clause.type === 'identifier') body.push(each(clause, value, undefined, file));
    const selected = clauseOf(clause, file, body);
    if (selected) value = { kind: 'list', items: [selected] };
  }
  return { kind: 'block', body, value };
}

/** Adds the statements of a clause. Returns the element that it selects. */
function clauseOf(clause: SyntaxNode, file: CSharpFile, body: Statement[]): Expression | undefined {
  const values = parts(clause);
  const evaluate = (nodes: readonly SyntaxNode[]): void => {
    for (const value of file.expressions(nodes)) body.push({ kind: 'evaluate', value });
  };
  switch (clause.type) {
    case 'from_clause': {
      const name = child(clause, 'name');
      const source = values.at(-1);
      if (name && source) body.push(each(name, file.expression(source), child(clause, 'type'), file));
      return undefined;
    }
    case 'join_clause': {
      const into = ofType(clause, 'join_into_clause');
      const type = child(clause, 'type');
      const [name, source, ...keys] = values.filter((value) => value !== into && value !== type);
      if (name && source) body.push(each(name, file.expression(source), type, file));
      evaluate(keys);
      const group = into && named(into)[0];
      if (name && group) body.push(declare(group, { kind: 'list', items: [file.expression(name)] }, file));
      return undefined;
    }
    case 'let_clause': {
      const [name, value] = values;
      if (name && value) body.push(declare(name, file.expression(value), file));
      return undefined;
    }
    case 'select_clause':
      return values[0] ? file.expression(values[0]) : UNKNOWN;
    case 'group_clause': {
      evaluate(values.slice(1));
      return { kind: 'list', items: values[0] ? [file.expression(values[0])] : [] };
    }
    case 'where_clause':
    case 'order_by_clause':
      evaluate(values);
      return undefined;
    default:
      return undefined;
  }
}

function each(name: SyntaxNode, of: Expression, type: SyntaxNode | undefined, file: CSharpFile): Statement {
  const { lowering } = file;
  const target: Expression = { kind: 'name', name: nameText(name, lowering), ...lowering.at(name) };
  const element = optionalType(type, lowering).type;
  const source: Expression = element ? { kind: 'cast', value: of, type: { kind: 'list', of: element } } : of;
  return { kind: 'each', target, of: source, declares: true };
}

function declare(name: SyntaxNode, value: Expression, file: CSharpFile): Statement {
  return { kind: 'declare', name: nameText(name, file.lowering), value, ...file.lowering.at(name) };
}
