import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Scope } from '../program.js';
import type { Engine } from './engine.js';
import { utilityOf } from './utility-types.js';

/** Aliases and nested types are followed this far. */
const MAX_NESTING = 20;

/** True where a type tells all that it can: other values than functions do not flow into what it declares. */
export function isKnownType(engine: Engine, type: code.Type, scope: Scope, nesting = 0): boolean {
  if (nesting > MAX_NESTING) return false;
  const inside = (each: code.Type) => isKnownType(engine, each, scope, nesting + 1);
  switch (type.kind) {
    case 'named': {
      const target = engine.typeNames.find(type.path, scope, type.arguments?.length ?? 0);
      if (target?.kind === 'alias')
        return isKnownType(engine, target.alias.type, target.alias.scope, nesting + 1);
      if (target?.kind === 'external') {
        const [argument] = type.arguments ?? [];
        if (argument && utilityOf(target, scope)) return inside(argument);
        return scope.unit.rules.staticTypes === true;
      }
      return target?.kind === 'class' || target?.kind === 'parameter';
    }
    case 'union':
    case 'intersection':
      return type.of.every(inside);
    case 'wrapper':
      return inside(type.of);
    case 'indexed':
    case 'other':
      return false;
    case 'list':
      // What a pointer of C++ points to may be declared where the file does not see it.
      return !scope.unit.rules.prototypes || inside(type.of);
    case 'tuple':
      // The functions that a tuple holds flow as the tuple does.
      return !type.of.some((each) => each.kind === 'function');
    case 'map':
    case 'function':
    case 'object':
    case 'typeof':
    case 'self':
      return true;
  }
}
