import { nearest } from '../languages/paths.js';
import type { Unit, Variable } from '../program.js';
import type { Engine } from './engine.js';

/** Joins what one file declares with its definition in another: prototypes and `extern` variables of C. */
export function joinPrototypes(engine: Engine, units: readonly Unit[]): void {
  const files = units.filter((unit) => unit.rules.prototypes);
  const definitions = new Map<string, Variable[]>();
  for (const unit of files) {
    for (const [name, variable] of unit.scope.names) {
      if (variable.internal || !isDefinition(variable)) continue;
      const known = definitions.get(name);
      if (known) known.push(variable);
      else definitions.set(name, [variable]);
    }
  }
  for (const unit of files) {
    for (const [name, variable] of unit.scope.names) {
      if (variable.internal || !isPrototype(variable)) continue;
      // Programs of one project may each have their own.
      const found = nearest(definitions.get(name) ?? [], unit.path, ({ scope }) => scope.unit.path);
      for (const definition of found) join(engine, variable, definition);
    }
  }
}

function isDefinition(variable: Variable): boolean {
  const functions = variable.declarations?.filter((each) => each.kind === 'function');
  if (functions && functions.length > 0) return functions.some((each) => each.code.hasBody);
  return !variable.declarations && !variable.prototype;
}

function isPrototype(variable: Variable): boolean {
  const functions = variable.declarations?.filter((each) => each.kind === 'function');
  if (functions && functions.length > 0) return !functions.some((each) => each.code.hasBody);
  return variable.prototype === true;
}

function join({ solver }: Engine, variable: Variable, definition: Variable): void {
  for (const each of definition.declarations ?? [])
    if (each.kind === 'function') variable.addDeclaration(each);
  solver.copy(definition.node, variable.node);
  if (!definition.declarations) solver.copy(variable.node, definition.node);
}
