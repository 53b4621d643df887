import type { Class, Func } from '../declarations.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

/** True for the name of an external type, not for that of a constant in one; what calling an external gives has the name of the call. */
export function isTypeName(name: string): boolean {
  return /(?:^|\.)\p{Lu}[^.]*$/u.test(name) && !/(?:^|\.)\p{Lu}[^.]*\.[\p{Lu}\d_]+$/u.test(name);
}

/** True for the type of a constant that is a pointer to nothing, of objects and of functions. */
export function isNullType({ unit, name = '' }: Class): boolean {
  return unit.rules.nullTypes?.includes(name) === true;
}

/** True for the name of a constant that a macro of C defines. */
export function isMacro(name: string, type: Value): boolean {
  return (
    type.kind === 'instance' && type.class.unit.rules.prototypes === true && /^[A-Z][A-Z\d_]+$/.test(name)
  );
}

/**
 * A value that is declared with an external type, or with one of the library, is passed as that, whatever objects reach it; one that may be absent as
 * such. What a property of an external object gives has the name of the property in C#, which is that of no type.
 */
export function declaredOf(
  engine: Engine,
  given: readonly Value[] | undefined,
  { unit }: Func,
): readonly Value[] | undefined {
  const { callsByType, nullableType } = unit.rules;
  if (!callsByType) return given;
  const isNullable = (each: Value): boolean =>
    each.kind === 'instance' && each.class.name !== undefined && each.class.name === nullableType;
  const isProperty = (each: Value): boolean =>
    nullableType !== undefined && each.kind === 'external' && each.name.includes('.');
  const values = given?.filter((each) => !isProperty(each)) ?? [];
  const isLibrary = (each: Value): boolean =>
    values.length > 1 && values.some((other) => hasSupertype(engine, other, each));
  for (const isOnly of [isNullable, isTypeOf, isLibrary]) {
    const only = values.filter(isOnly);
    if (only.length > 0) return only;
  }
  return values;
}

function isTypeOf(value: Value): boolean {
  return value.kind === 'external' && isTypeName(value.name);
}

/** True for an object of a class of the project that implements a type of the library. */
function hasSupertype(engine: Engine, value: Value, type: Value): boolean {
  if (value.kind !== 'instance' || engine.builtins.isBuiltin(value.class)) return false;
  return isLibraryType(engine, type, value.class);
}

/** True for a type of the library that a class implements. */
export function isLibraryType({ builtins, classes }: Engine, type: Value, container: Class): boolean {
  return type.kind === 'instance' && builtins.isBuiltin(type.class) && classes.isOf(container, type.class);
}
