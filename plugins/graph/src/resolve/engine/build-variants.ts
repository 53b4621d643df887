import type { Func } from '../declarations.js';
import type { Unit } from '../program.js';
import type { Engine } from './engine.js';

/** Of functions that one name has in several files, those of the builds that have a file; all where no build has both. */
export function builtWith({ project }: Engine, functions: readonly Func[], from: Unit): readonly Func[] {
  if (functions.length < 2) return functions;
  const modules = project.modules(from.rules);
  const built = functions.filter(({ unit }) => modules.isBuiltWith?.(unit.path, from.path) ?? true);
  return built.length > 0 ? built : functions;
}
