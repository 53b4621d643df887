import type { Code } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';

/** Test cases of Pest at the top level: `it('saves', function () { … })`, `test('…', fn () => …)`. */
export function testCases(root: SyntaxNode, lowering: Lowering): NonNullable<Code['testCases']> {
  return root.children.flatMap((statement) => {
    const calls = statement.type === 'expression_statement' ? innermostCall(named(statement)[0]) : undefined;
    const called = calls && child(calls, 'function');
    if (!calls || !called || !/^(?:it|test)$/.test(lowering.textOf(called))) return [];
    const [title, code] = named(child(calls, 'arguments') ?? calls).flatMap((each) => named(each));
    if (!title?.type.endsWith('string') || !code) return [];
    const text = lowering.text.slice(title.start + 1, title.end - 1);
    return [{ ...lowering.at(calls), title: text, end: calls.end }];
  });
}

/** The first call of a chain: `it('…', fn () => …)->with([…])`. */
function innermostCall(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node?.type === 'member_call_expression') return innermostCall(child(node, 'object'));
  return node?.type === 'function_call_expression' ? node : undefined;
}
