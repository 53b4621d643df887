import type { CallResult, CallTarget } from '../engine/call-result.js';

/**
 * The targets of a call. On a variable of an external type the compiler means a member of that type: the methods of the
 * objects that reach it take its place.
 */
export function targetsOf({ site, targets }: CallResult): readonly CallTarget[] {
  const { callee, unit } = site;
  if (!unit.rules.callsByType || callee.kind !== 'member' || callee.isSuper) return targets;
  if (!callee.object?.values?.some((each) => each.kind === 'external')) return targets;
  return targets.map(({ target, evidence }) =>
    evidence.reason === 'type' && target.kind === 'function'
      ? { target, evidence: { ...evidence, reason: 'hierarchy', shared: targets.length > 1 } }
      : { target, evidence },
  );
}
