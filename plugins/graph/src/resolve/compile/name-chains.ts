import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import type { Binding, FreeName, Scope } from '../program.js';
import { methodKey } from './keys.js';
import { lookUp } from './names.js';
import type { Place } from './walker.js';

/** What the first name of a chain (`a.b.c`) means; undefined where it begins with something else. */
function bindingOf(expression: code.Expression, scope: Scope): Binding | undefined {
  let first = expression;
  while (first.kind === 'member') first = first.object;
  return first.kind === 'name' ? lookUp(first.name, scope) : undefined;
}

/** The names of a chain (`a.b.c`); undefined for another expression. */
export function pathOf(expression: code.Expression): string[] | undefined {
  if (expression.kind === 'name') return [expression.name];
  const object = expression.kind === 'member' ? pathOf(expression.object) : undefined;
  return object && expression.kind === 'member' ? [...object, expression.name] : undefined;
}

function isFree(binding: Binding): binding is FreeName {
  return 'kind' in binding;
}

/** True for a chain of names from one that the file declares outside its functions and classes. */
export function isOfFile(expression: code.Expression, { scope }: Place): boolean {
  const binding = bindingOf(expression, scope);
  return binding !== undefined && !isFree(binding) && binding.scope.kind === 'file';
}

/**
 * Notes a chain of names from one that no scope declares: it may be the name of a package. Returns the node that then
 * holds what the chain names, which is made where none is given; undefined where a scope declares the first name.
 */
export function notePath(
  expression: code.Expression,
  node: Node | undefined,
  { scope }: Place,
  isCallee = false,
): Node | undefined {
  const binding = bindingOf(expression, scope);
  if (!binding || !isFree(binding)) return undefined;
  const names: string[] = [];
  for (let each = expression; each.kind === 'member'; each = each.object) names.unshift(each.name);
  const last = names.pop();
  if (last !== undefined) names.push(isCallee ? methodKey(last, scope.unit.rules) : last);
  const named = node ?? new Node();
  (binding.paths ??= []).push({ names: [binding.name, ...names], node: named });
  return named;
}
