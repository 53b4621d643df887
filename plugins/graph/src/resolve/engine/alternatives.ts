import type { ImportBinding } from '../declarations.js';
import type { Binding, Target, Unit, Variable } from '../program.js';
import type { ModuleValue } from '../values.js';
import type { Engine } from './engine.js';
import type { Hit } from './hit.js';
import { bindingOf } from './names-of-files.js';

/**
 * All that a variable names which several imports or declarations bind, as `try … except ImportError` of Python does. In
 * other languages, and for other variables, the one target that `Bindings` finds.
 */
export function alternativesOf(
  engine: Engine,
  variable: Variable,
  seen = new Set<Variable>(),
): readonly Target[] {
  const declarations = variable.declarations ?? [];
  const self: Target = { kind: 'variable', variable };
  const imports = declarations.filter((each) => each.kind === 'import');
  if (imports.length === 0 || !isRebound(variable.scope.unit)) return [engine.bindings.follow(self)];
  if (seen.has(variable)) return [];
  seen.add(variable);
  const isDeclared = imports.length < declarations.length || variable.symbol !== undefined;
  return [...(isDeclared ? [self] : []), ...imports.flatMap((each) => importedBy(engine, each, seen))];
}

/** The same of an import. */
export function importedBy(
  engine: Engine,
  binding: ImportBinding,
  seen = new Set<Variable>(),
): readonly Target[] {
  const { bindings, project } = engine;
  const found = bindings.import(binding);
  const { name, form } = binding.statement;
  if (!found || name === undefined || form !== 'named' || !isRebound(binding.unit))
    return found ? [found] : [];
  const target = project.find(binding.statement, binding.unit);
  const units = target.kind === 'files' && !target.within ? project.unitsOf(target.paths) : [];
  const all = imported(engine, units, name, seen);
  return all.length > 0 ? all : [found];
}

/** The same of a name in the code of a file. */
export function targetsNamed(engine: Engine, binding: Binding): readonly Target[] {
  if (!('kind' in binding)) return alternativesOf(engine, binding);
  const { target } = binding;
  if (target?.kind !== 'member') return target ? [target] : [];
  const found = engine.classes.member(target.class, binding.name, target.isStatic ? 'static' : 'instance');
  return found ? [{ kind: 'variable', variable: found.variable }] : [];
}

/** What a name of a module gives, which may be one of several. */
export function moduleMembers(engine: Engine, module: ModuleValue, name: string): readonly Hit[] {
  const { members, bindings, answers } = engine;
  const several = imported(engine, module.units, name, new Set());
  const named = several.length > 0 ? several : [bindings.exported(module.units, name)];
  const found = named.flatMap((each) => members.ofTarget(each));
  return found.length > 0 ? found : answers.ofModule(module, name);
}

/** Of a name that a module imports. */
function imported(
  engine: Engine,
  units: readonly Unit[],
  name: string,
  seen: Set<Variable>,
): readonly Target[] {
  for (const unit of units) {
    const binding = isRebound(unit) ? bindingOf(unit, name) : undefined;
    if (!binding || 'kind' in binding) continue;
    const isImported = binding.declarations?.some((each) => each.kind === 'import');
    return isImported ? alternativesOf(engine, binding, seen) : [];
  }
  return [];
}

/** Whether names of the file may be bound again, one value after another. */
function isRebound({ rules }: Unit): boolean {
  return rules.flow === 'ordered';
}
