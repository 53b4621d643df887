import type { code } from '@service-mcp/plugin-syntax/contract';

/** The types that a type names, itself and inside it. */
export function* namedTypes(type: code.Type): Generator<code.NamedType> {
  switch (type.kind) {
    case 'named':
      for (const each of type.arguments ?? []) yield* namedTypes(each);
      yield type;
      return;
    case 'union':
    case 'intersection':
    case 'tuple':
      for (const each of type.of) yield* namedTypes(each);
      return;
    case 'other':
      for (const each of type.of ?? (type.guard ? [type.guard.type] : [])) yield* namedTypes(each);
      return;
    case 'list':
    case 'wrapper':
    case 'indexed':
      yield* namedTypes(type.of);
      return;
    case 'map':
      yield* namedTypes(type.key);
      yield* namedTypes(type.of);
      return;
    case 'function':
      if (type.receiver) yield* namedTypes(type.receiver);
      for (const each of type.parameters) yield* namedTypes(each);
      if (type.returns) yield* namedTypes(type.returns);
      return;
    case 'object':
    case 'typeof':
    case 'self':
  }
}
