import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';

const require = createRequire(import.meta.url);
let requireLikeLance: NodeJS.Require | undefined;

/**
 * Arrow, loaded once something is indexed or searched. LanceDB takes tables of its own copy of Arrow as they are; tables
 * of another it rebuilds, and fails.
 */
export function arrow(): typeof Arrow {
  requireLikeLance ??= createRequire(require.resolve('@lancedb/lancedb'));
  return requireLikeLance('apache-arrow') as typeof Arrow;
}
