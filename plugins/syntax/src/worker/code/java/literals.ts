import type { Expression, Literal } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import type { JavaFile } from './context.js';

const MAX_LITERAL = 100;

/** Numbers other than `int` and characters are cast, since overloads tell them apart. */
export function literal(node: SyntaxNode, file: JavaFile): Expression | undefined {
  const { lowering } = file;
  const text = lowering.textOf(node);
  const short = text.length <= MAX_LITERAL ? { text } : {};
  const plain = (type: Literal['type']): Literal => ({ kind: 'literal', type });
  const cast = (name: string): Expression => ({
    kind: 'cast',
    value: plain('number'),
    type: { kind: 'named', path: [name], ...lowering.at(node) },
  });
  if (node.type.endsWith('_integer_literal')) {
    return /[lL]$/.test(text) ? cast('long') : { ...plain('number'), ...short };
  }
  if (node.type.endsWith('floating_point_literal')) return cast(/[fF]$/.test(text) ? 'float' : 'double');
  if (node.type === 'character_literal') return cast('char');
  if (node.type === 'string_literal') {
    const value = text.replaceAll(/^"+|(?<!")"+$/g, '');
    return { ...plain('string'), ...(value.length <= MAX_LITERAL && { text: value }) };
  }
  if (node.type === 'true' || node.type === 'false') return plain('boolean');
  return node.type === 'null_literal' ? plain('null') : undefined;
}
