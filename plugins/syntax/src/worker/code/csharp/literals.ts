import type { Expression, Literal } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import type { CSharpFile } from './context.js';

const MAX_LITERAL = 100;
/** Types by the suffix of a number. */
const SUFFIXES: Readonly<Record<string, string>> = {
  l: 'long',
  u: 'uint',
  f: 'float',
  m: 'decimal',
  d: 'double',
};

/** Numbers other than `int` and characters are cast, since overloads tell them apart. */
export function literal(node: SyntaxNode, file: CSharpFile): Expression | undefined {
  const { lowering } = file;
  const text = lowering.textOf(node);
  const short = (value: string) => (value.length <= MAX_LITERAL ? { text: value } : {});
  const plain = (type: Literal['type']): Literal => ({ kind: 'literal', type });
  const cast = (name: string): Expression => ({
    kind: 'cast',
    value: plain('number'),
    type: { kind: 'named', path: [name], ...lowering.at(node) },
  });
  const suffix = SUFFIXES[text.at(-1)?.toLowerCase() ?? ''];
  switch (node.type) {
    case 'integer_literal':
      return suffix && !/^0x/i.test(text) ? cast(suffix) : { ...plain('number'), ...short(text) };
    case 'real_literal':
      return cast(suffix ?? 'double');
    case 'character_literal':
      return cast('char');
    case 'string_literal':
    case 'verbatim_string_literal':
    case 'raw_string_literal':
      return { ...plain('string'), ...short(text.replaceAll(/^@?"+|(?<!")"+(?:u8)?$/gi, '')) };
    case 'boolean_literal':
      return plain('boolean');
    case 'null_literal':
      return plain('null');
    default:
      return undefined;
  }
}
