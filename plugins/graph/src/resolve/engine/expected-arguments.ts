import { positional } from '../compile/keys.js';
import type { Func } from '../declarations.js';
import type { CallSite } from '../instructions.js';
import { functionAround } from '../program.js';
import type { Engine } from './engine.js';
import { accepts } from './overloads.js';

/**
 * The functions that a call may mean, and its arguments, where it passes on all that the function around it is expected to
 * be called with: `Item::new` of Java.
 */
export function withExpected<T extends Pick<CallSite, 'arguments'> & { readonly functions: readonly Func[] }>(
  { passing }: Engine,
  site: CallSite,
  given: T,
): T {
  const [only, another] = site.arguments;
  if (only?.spread !== 'list' || another) return given;
  const around = functionAround(site.scope);
  const expected = around && passing.expectedOf(around);
  if (!expected) return given;
  const args = expected.map((node) => positional(node));
  const functions = given.functions.filter((each) => accepts(each, { ...site, arguments: args }, true));
  return { ...given, functions, arguments: args };
}
