import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Callee } from '../instructions.js';
import { lookUp } from './names.js';
import type { Place } from './walker.js';

/** True for an object that has the global variables as members: `window`, and a parameter that holds it. */
export function isGlobalObject(object: code.Expression, { scope, function: around }: Place): boolean {
  const { globalObjects } = scope.unit.rules;
  if (!globalObjects) return false;
  if (object.kind === 'this') return around === undefined;
  if (object.kind !== 'name') return false;
  const binding = lookUp(object.name, scope);
  return 'kind' in binding ? globalObjects.has(object.name) : binding.holdsGlobals === true;
}

/** `(function (root) {…})(window)`: marks the parameters that such an object is given to. */
export function noteGlobalObjects(call: code.Call, callee: Callee, place: Place): void {
  if (call.callee.kind !== 'function' || callee.kind !== 'value') return;
  const [func] = callee.node?.values ?? [];
  if (func?.kind !== 'function') return;
  for (const [index, { value }] of call.arguments.entries()) {
    const name = isGlobalObject(value, place) ? func.parameters[index]?.name : undefined;
    const parameter = name === undefined ? undefined : func.scope.names.get(name);
    if (parameter) parameter.holdsGlobals = true;
  }
}
