import type { code } from '@service-mcp/plugin-syntax/contract';
import { compileObject } from './objects.js';
import type { Place, Walker } from './walker.js';

/** `to[key] = from[key]` copies members by their names. False for another assignment. */
export function compileCopy(
  walker: Walker,
  target: code.Expression,
  value: code.Expression,
  place: Place,
): boolean {
  const { unit } = walker;
  if (!unit.rules.recordLiterals || target.kind !== 'index' || value.kind !== 'index') return false;
  const { key } = target;
  if (key?.kind !== 'name' || value.key?.kind !== 'name' || key.name !== value.key.name) return false;
  walker.expression(key, place);
  const [to, from] = [target.object, value.object].map((each) => compileObject(walker, each, place));
  if (to && from) unit.instructions.push({ kind: 'copy', from, to });
  place.flow.forgetElements();
  return true;
}
