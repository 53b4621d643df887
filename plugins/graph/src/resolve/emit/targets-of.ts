import { isLibraryType } from '../engine/external-values.js';
import { implementationOf } from '../engine/overloads.js';
import type { Func } from '../declarations.js';
import type { CallResult, CallTarget } from '../engine/call-result.js';
import type { Engine } from '../engine/engine.js';

/** Objects of so many classes meet where each call has few of them: in a field of a common supertype, in a registry. */
const MANY_CLASSES = 4;

/**
 * The targets of a call. On a variable of an external type the compiler means a member of that type: the methods of the
 * objects that reach it take its place. Where types are not written, each of the methods of many classes is
 * less certain. The function with the body is called, not a signature that it is overloaded with.
 */
export function targetsOf(engine: Engine, { site, targets: known }: CallResult): readonly CallTarget[] {
  const { callee, unit } = site;
  const targets = known.filter(({ target }) => target.kind !== 'function' || !isImplemented(target));
  if (unit.rules.receiver === 'dynamic') {
    const isOfType = ({ evidence }: CallTarget): boolean => evidence.reason === 'type';
    if (targets.filter(isOfType).length < MANY_CLASSES) return targets;
    return targets.map((each) =>
      isOfType(each) ? { ...each, evidence: { ...each.evidence, shared: true } } : each,
    );
  }
  if (!unit.rules.callsByType || callee.kind !== 'member' || callee.isSuper) return targets;
  const values = callee.object?.values ?? [];
  const isImplementation = ({ owner }: Func): boolean =>
    values.some(
      (each) =>
        each.kind === 'external' || (owner && isLibraryType(engine, each, engine.classes.canonical(owner))),
    );
  return targets.map(({ target, evidence }) =>
    evidence.reason === 'type' && target.kind === 'function' && isImplementation(target)
      ? { target, evidence: { ...evidence, reason: 'hierarchy', shared: targets.length > 1 } }
      : { target, evidence },
  );
}

/** True for a signature of a function that has its body elsewhere. */
function isImplemented(func: Func): boolean {
  const implementation = implementationOf(func);
  return implementation !== undefined && implementation !== func;
}
