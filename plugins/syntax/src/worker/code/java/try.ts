import type { Expression, Statement } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import type { JavaFile } from './context.js';

/** `try`, `catch` and `finally`, with resources that are closed. */
export function tryStatement(node: SyntaxNode, file: JavaFile): Statement[] {
  const resources = child(node, 'resources');
  const opened: Statement[] = [];
  const closed: Statement[] = [];
  for (const resource of resources ? named(resources) : []) {
    const name = child(resource, 'name');
    const [value = UNKNOWN] = file.expressions(name ? [name] : named(resource));
    if (name) opened.push(...file.statement(resource));
    closed.push(close(value, resource, file));
  }
  const body = child(node, 'body');
  const clauses = named(node).filter(
    (each) => each.type === 'catch_clause' || each.type === 'finally_clause',
  );
  const tried: Statement[] = [...opened, ...(body ? file.statement(body) : []), ...closed];
  const handlers = clauses.filter((each) => each.type === 'catch_clause').map((each) => file.statement(each));
  const last = ofType(node, 'finally_clause');
  return [
    { kind: 'branch', arms: [[{ kind: 'block', body: tried }], ...handlers.map((each) => [...each])] },
    ...(last ? file.statements(named(last)) : []),
  ];
}

/** The end of a try statement closes its resource. */
function close(value: Expression, resource: SyntaxNode, file: JavaFile): Statement {
  const at = file.lowering.at(resource);
  const callee: Expression = { kind: 'member', object: value, name: 'close', ...at };
  return { kind: 'evaluate', value: { kind: 'call', callee, arguments: [], ...at } };
}
