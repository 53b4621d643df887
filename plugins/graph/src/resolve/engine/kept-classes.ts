import type { code } from '@service-mcp/plugin-syntax/contract';
import type { CallSite } from '../instructions.js';
import type { Node } from '../node.js';

/**
 * True where a decorator that says that it gives a class is given one: what else it may give is for other arguments,
 * `@frozen(order=True)` beside `@frozen`.
 */
export function keepsClass({ callee }: CallSite, from: Node): boolean {
  if (callee.kind !== 'value' || !from.values?.some(({ kind }) => kind === 'class')) return false;
  return (callee.node?.values ?? []).some((value) => {
    const func = value.kind === 'bound' ? value.function : value;
    if (func.kind !== 'function') return false;
    return [func, ...(func.overloads ?? [])].some(({ code: { returns } }) => returns && givesClass(returns));
  });
}

function givesClass(type: code.Type): boolean {
  return type.kind === 'typeof' || (type.kind === 'union' && type.of.some(givesClass));
}
