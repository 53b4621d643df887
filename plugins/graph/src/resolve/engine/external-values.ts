import type { Func } from '../declarations.js';
import type { Value } from '../values.js';

/** True for the name of an external type, not for that of a constant in one; what calling an external gives has the name of the call. */
export function isTypeName(name: string): boolean {
  return /(?:^|\.)\p{Lu}[^.]*$/u.test(name) && !/(?:^|\.)\p{Lu}[^.]*\.[\p{Lu}\d_]+$/u.test(name);
}

/** True for the name of a constant that a macro of C defines. */
export function isMacro(name: string, type: Value): boolean {
  return (
    type.kind === 'instance' && type.class.unit.rules.prototypes === true && /^[A-Z][A-Z\d_]+$/.test(name)
  );
}

/** A value that is declared with an external type is passed as that, whatever objects reach it. */
export function declaredOf(
  values: readonly Value[] | undefined,
  { unit }: Func,
): readonly Value[] | undefined {
  if (!unit.rules.callsByType) return values;
  const types = values?.filter((each) => each.kind === 'external' && isTypeName(each.name)) ?? [];
  return types.length > 0 ? types : values;
}
