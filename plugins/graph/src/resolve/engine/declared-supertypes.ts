import type { Class, Supertype } from '../declarations.js';
import type { External, Instance } from '../values.js';
import type { Engine } from './engine.js';
import type { SupertypeElements } from './supertype-elements.js';

export interface DeclaredSupertype extends Pick<Supertype, 'relation' | 'static' | 'first'> {
  readonly value: Instance | External;
}

/** Direct supertypes of a class as written, also those that calls make: classes before interfaces, embedded types last. */
export function declaredSupertypes(
  { types, values, classes }: Engine,
  elements: SupertypeElements,
  container: Class,
): DeclaredSupertype[] {
  const embedded = container.embedded.flatMap(({ type, scope }): Supertype[] =>
    type ? [{ relation: 'mixes', type, scope, value: undefined }] : [],
  );
  return [...container.supertypes, ...embedded].flatMap((supertype) => {
    const { type, scope, value, relation, static: isStatic, first } = supertype;
    const how = { relation, ...(isStatic && { static: isStatic }), ...(first && { first }) };
    const node = types.node(type, scope);
    const found = (node.values ?? []).flatMap((each): Array<Instance | External> => {
      if (each.kind === 'instance') return [elements.complete(supertype, each)];
      return each.kind === 'external' ? [each] : [];
    });
    const flown = (value?.values ?? []).flatMap((each): Array<Instance | External> => {
      if (each.kind === 'external' && type.kind === 'other') return [each];
      return each.kind === 'class' ? [values.instance(classes.canonical(each), [], false)] : [];
    });
    return [...found, ...flown].map((each) => ({ ...how, value: each }));
  });
}
