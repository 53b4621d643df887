import type { CallArgument } from '../instructions.js';
import type { Signature } from '../values.js';
import type { Engine } from './engine.js';

/** Matches the arguments of a function that is known by its type alone: `resolve(value)` of a promise. */
export function matchSignature(
  { infer }: Engine,
  { written, environment }: Signature,
  args: readonly CallArgument[],
): void {
  if (!environment) return;
  for (const [index, { node, name, spread }] of args.entries()) {
    if (spread !== undefined || name !== undefined) return;
    const type = written.types[index];
    if (type && node) infer.match(type, written.scope, node, environment);
  }
}
