import type { Expression } from '../../../code.js';
import type { SyntaxNode } from '../syntax-node.js';
import { pathValue } from '../values.js';
import type { Php } from './context.js';

/** The parts of a name. Those of a name in a namespace start at the root, with an empty part. */
export function pathOf(php: Php, node: SyntaxNode): string[] {
  return rooted(php, php.lowering.textOf(node).replaceAll(/\s/g, '').split('\\'));
}

/**
 * `A\b` is in what the file imports as `A`, else in the namespace around the place. A class may have the name of a
 * namespace: only the language's own rule tells them apart.
 */
export function rooted({ namespace, imports }: Php, parts: readonly string[]): string[] {
  const [first = '', ...rest] = parts;
  if (rest.length === 0 || first === '') return [...parts];
  if (first.toLowerCase() === 'namespace') return ['', ...namespace, ...rest];
  return ['', ...(imports.get(first.toLowerCase()) ?? [...namespace, first]), ...rest];
}

/** A constant, function or class by name. */
export function nameOf(php: Php, node: SyntaxNode): Expression {
  return pathValue(pathOf(php, node), php.lowering.at(node));
}

/** The class before `::` or after `new`. */
export function scopeOf(php: Php, node: SyntaxNode): Expression {
  const text = php.lowering.textOf(node).toLowerCase();
  if (text === 'parent') return { kind: 'super' };
  if (text === 'self' || text === 'static') {
    return text === 'self' && php.class?.name ? nameOf(php, php.class.name) : { kind: 'this' };
  }
  return php.expression(node);
}

/** The class that `new` constructs. `static` and `self` are the class around it, while `this` would be an object of it. */
export function constructedOf(php: Php, node: SyntaxNode): Expression {
  const text = php.lowering.textOf(node).toLowerCase();
  const known = text === 'parent' ? php.class?.parent : php.class?.name;
  return ['parent', 'self', 'static'].includes(text) && known ? nameOf(php, known) : scopeOf(php, node);
}

/** A variable with its sigil, which keeps variables apart from constants, functions and classes. */
export function variableOf(php: Php, node: SyntaxNode): Expression {
  const name = php.lowering.textOf(node);
  const at = php.lowering.at(node);
  return name === '$this' ? { kind: 'this', line: at.line } : { kind: 'name', ...at, name };
}
