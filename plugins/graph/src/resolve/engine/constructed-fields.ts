import type { CallSite } from '../instructions.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/**
 * True for what a language constructs without being told to: a class, as in `raise Error` and `Base(4)`, or the field that
 * `engine_(4)` names among the initializers of a constructor.
 */
export function isConstructed({ builtins, classes }: Engine, site: CallSite, value: Value): boolean {
  if (value.kind !== 'instance') return value.kind === 'class' || value.kind === 'external';
  if (!site.unit.rules.fieldsInOrder || builtins.isBuiltin(value.class)) return false;
  const binding = site.callee.kind === 'binding' ? site.callee.binding : undefined;
  const target = binding && 'kind' in binding ? binding.target : undefined;
  if (!binding || target?.kind !== 'member') return false;
  // A reference is an object that another place constructs.
  const field = classes.member(target.class, binding.name, 'instance');
  return field?.variable.type?.kind === 'named';
}
