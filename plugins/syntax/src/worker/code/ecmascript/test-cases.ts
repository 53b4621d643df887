import { child, named, type SyntaxNode } from '../syntax-node.js';
import { stringText, type Context } from './context.js';

const NAMES: ReadonlySet<string> = new Set(['it', 'test', 'specify']);

/** Records `it('…', f)`, `test.only('…', f)`, `it.each(table)('…', f)`. */
export function testCase(node: SyntaxNode, context: Context): void {
  const list = child(node, 'arguments');
  const [title, body] = list?.type === 'arguments' ? named(list) : [];
  if (!body || (title?.type !== 'string' && title?.type !== 'template_string')) return;
  if (!isTest(child(node, 'function'), context)) return;
  context.testCases.push({
    title: stringText(title, context).slice(0, 256),
    ...context.lowering.at(node),
    end: node.end,
  });
}

function isTest(callee: SyntaxNode | undefined, context: Context): boolean {
  let at = callee;
  while (at && at.type !== 'identifier') at = child(at, 'object') ?? child(at, 'function');
  return at !== undefined && NAMES.has(context.lowering.textOf(at));
}
