import type { ImportBinding } from '../declarations.js';
import type { Unit, Variable } from '../program.js';

/** True for an associated type and a variant of Rust, which are named through their type only. */
export function isQualified({ scope, declarations }: Variable): boolean {
  const form = scope.class?.code.form;
  if (scope.unit.rules.associatedTypes === undefined || form === 'namespace') return false;
  return form === 'enum' || declarations?.every(({ kind }) => kind === 'alias') === true;
}

/** The import that declares a variable. */
export function importOf(variable: Variable): ImportBinding | undefined {
  const declaration = variable.declarations?.find((each) => each.kind === 'import');
  return declaration?.kind === 'import' ? declaration : undefined;
}

/** What a file exports under a name, or declares under it unless it hides that. */
export function bindingOf(unit: Unit, name: string) {
  return unit.exports.get(name) ?? (hidesNames(unit) ? undefined : unit.scope.names.get(name));
}

function hidesNames({ rules, path, exports, imports, assigned }: Unit): boolean {
  if (assigned || !rules.hidesNames?.(path)) return false;
  return exports.size > 0 || imports.some(({ statement }) => statement.reexport);
}

/** True for names that an import of all names takes from a file. */
export function isTaken({ exports, rules }: Unit, name: string): boolean {
  if (!rules.wildcardTakes) return true;
  return exports.size > 0 ? exports.has(name) : rules.wildcardTakes(name);
}

/** True for a file that may export names which it does not declare. */
export function passesNames({ assigned, imports, rules }: Unit): boolean {
  if (rules.privateImports) return false;
  return assigned !== undefined || imports.some(({ statement }) => statement.form === 'wildcard');
}
