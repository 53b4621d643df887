import type { code } from '@service-mcp/plugin-syntax/contract';
import { positional } from '../compile/keys.js';
import type { CallArgument } from '../instructions.js';
import type { Scope } from '../program.js';
import type { Signature } from '../values.js';
import type { Engine } from './engine.js';
import type { Environment } from './environment.js';

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

/** The same where such a function is passed on as one of another type: it is called with what that type takes. */
export function callSignature(
  engine: Engine,
  value: Signature,
  type: Extract<code.Type, { kind: 'function' }>,
  scope: Scope,
  environment: Environment | undefined,
): void {
  const { types, substitution } = engine;
  const nodes = type.parameters.map((each) => substitution.of(types.node(each, scope), environment));
  matchSignature(engine, value, nodes.map(positional));
}
