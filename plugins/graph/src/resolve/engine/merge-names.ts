import type { Variable } from '../program.js';
import type { Engine } from './engine.js';
import type { Project } from './project.js';

/** Makes the names of one part of a class or namespace those of another too. `add`: for those that it lacks. */
export function mergeNames(
  { solver, project }: Engine,
  from: ReadonlyMap<string, Variable>,
  into: ReadonlyMap<string, Variable>,
  add: (name: string, variable: Variable) => void,
): void {
  for (const [name, variable] of from) {
    if (variable.internal && !isOfHeader(project, variable)) continue;
    const known = into.get(name);
    if (!known) add(name, variable);
    else if (known !== variable && !areOthers(project, known, variable)) {
      for (const declaration of variable.declarations ?? []) known.addDeclaration(declaration);
      known.type ??= variable.type;
      solver.copy(variable.node, known.node);
      solver.copy(known.node, variable.node);
    }
  }
}

/** What only one file can name, all files have that load it. */
function isOfHeader(project: Project, { scope: { unit } }: Variable): boolean {
  return unit.rules.prototypes === true && project.isLoaded(unit);
}

/** True for classes of one name in different programs: a source file keeps its own to itself. */
function areOthers(project: Project, known: Variable, other: Variable): boolean {
  const { unit } = other.scope;
  if (!unit.rules.prototypes || unit === known.scope.unit || isOfHeader(project, other)) return false;
  return isPlainClass(known) && isPlainClass(other);
}

/** True for the name of a class that is not a template: templates may be specialized in other files. */
function isPlainClass({ declarations = [] }: Variable): boolean {
  return declarations.some(
    (each) => each.kind === 'class' && each.code.form !== 'namespace' && each.generics.length === 0,
  );
}
