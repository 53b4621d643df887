import type { Code } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { bodyNodes } from './locals.js';

const GROUPS = /^(?:describe|context|feature|shared_examples|RSpec)$/;
const CASES = /^(?:it|specify|example|test|scenario)$/;

/** `it 'saves' do … end` in groups and at the top level. */
export function testCases(nodes: readonly SyntaxNode[], lowering: Lowering): NonNullable<Code['testCases']> {
  return nodes.flatMap((node) => {
    const [method, block] = [child(node, 'method'), child(node, 'block')];
    if (node.type !== 'call' || !method || !block) return node.type === 'class' ? inside(node, lowering) : [];
    const name = lowering.textOf(method);
    if (GROUPS.test(name)) return inside(block, lowering);
    const [title] = named(child(node, 'arguments') ?? node);
    if (!CASES.test(name) || title?.type !== 'string') return [];
    return [
      { ...lowering.at(node), title: lowering.text.slice(title.start + 1, title.end - 1), end: node.end },
    ];
  });
}

function inside(node: SyntaxNode, lowering: Lowering): NonNullable<Code['testCases']> {
  return testCases(bodyNodes(child(node, 'body')), lowering);
}
