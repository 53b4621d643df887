import type { code } from '@service-mcp/plugin-syntax/contract';
import { compileObject } from './objects.js';
import type { Place, Walker } from './walker.js';

/** Compiles the code inside a type: members of object types, operands of `typeof`. */
export function compileTypes(walker: Walker, type: code.Type, place: Place): void {
  const { unit } = walker;
  const inside = (types: readonly code.Type[] | undefined) => {
    for (const each of types ?? []) compileTypes(walker, each, place);
  };
  switch (type.kind) {
    case 'named':
      inside(type.arguments);
      return;
    case 'union':
    case 'intersection':
    case 'tuple':
      inside(type.of);
      return;
    case 'other':
      inside(type.of ?? (type.guard && [type.guard.type]));
      return;
    case 'list':
    case 'wrapper':
    case 'indexed':
      compileTypes(walker, type.of, place);
      return;
    case 'map':
      inside([type.key, type.of]);
      return;
    case 'function':
      inside(type.parameters);
      if (type.returns) compileTypes(walker, type.returns, place);
      return;
    case 'object':
      if (!unit.objectTypes.has(type)) {
        const { members } = type;
        unit.objectTypes.set(type, walker.class({ start: 0, line: 0, form: 'interface', members }, place));
      }
      return;
    case 'typeof': {
      const node = compileObject(walker, type.value, place);
      if (node) unit.typeofs.set(type, node);
      return;
    }
    case 'self':
  }
}
