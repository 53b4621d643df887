import type { Func } from '../declarations.js';
import { groupBy } from '../group-by.js';
import { directoryOf } from '../languages/paths.js';
import type { Unit } from '../program.js';
import type { Engine } from './engine.js';

/** Of functions that one name has in several files, those of the builds that have a file; all where no build has both. */
export function builtWith({ project }: Engine, functions: readonly Func[], from: Unit): readonly Func[] {
  if (functions.length < 2) return functions;
  const modules = project.modules(from.rules);
  if (!modules.isBuiltWith) return functions;
  const built = functions.filter(({ unit }) => modules.isBuiltWith?.(unit.path, from.path));
  return built.length > 0 ? built : functions;
}

/** The same of methods of several types, for each method of each type. */
export function eachBuiltWith(engine: Engine, methods: readonly Func[], from: Unit): readonly Func[] {
  if (methods.length < 2 || !engine.project.modules(from.rules).isBuiltWith) return methods;
  const variants = groupBy(
    methods,
    ({ unit, owner, name }) => `${directoryOf(unit.path)}:${owner?.name ?? ''}.${name ?? ''}`,
  );
  return [...variants.values()].flatMap((each) => builtWith(engine, each, from));
}
