import type { Expression } from '../../../code.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';

/** What a string holds besides its text, and operands that become a string. */
const TEXT = new Set(['string_content', 'escape_sequence', 'heredoc_start', 'heredoc_end', 'cast_type']);

/** Values that become text, for which a class has a method: `"a $b"`, `$a . $b`, `(string) $a`, `echo $a`. */
export function writtenOf(php: Php, nodes: readonly SyntaxNode[]): Expression {
  const of = nodes
    .filter(({ type }) => !TEXT.has(type))
    .map((node): Expression => {
      const value = php.expression(node);
      // The result of an operation has no such method.
      if (value.kind === 'literal' || value.kind === 'operation') return value;
      return { kind: 'operation', of: [value], operator: { ...php.lowering.at(node), name: 'string' } };
    });
  return { kind: 'operation', of: of.filter(({ kind }) => kind !== 'literal'), type: 'string' };
}

/** A concatenation or a cast to a string; undefined for other operators and casts. */
export function writing(php: Php, node: SyntaxNode): Expression | undefined {
  const operator = child(node, 'operator') ?? ofType(node, 'cast_type');
  const name = operator && php.lowering.textOf(operator).toLowerCase();
  return name !== undefined && WRITING.has(name) ? writtenOf(php, named(node)) : undefined;
}

const WRITING = new Set(['.', '.=', 'string']);
