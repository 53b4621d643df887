import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { directoryOf, joinPath } from './paths.js';

/** Constants and methods at the top level are visible in all files, whatever loads them. */
const SCOPE = 'ruby';
const EXTENSION = '.rb';

export function rubyModules(project: ProjectFiles): Modules {
  const files = project.paths.filter((path) => path.endsWith(EXTENSION));
  return {
    find: ({ module }, from) => required(project, module, from),
    scopeOf: () => SCOPE,
    // Scripts that have nothing to do with each other may open classes of one name.
    isBuiltWith: (path, from) => path === from,
    ofPath: (names) => (names[0] === '' ? { target: { kind: 'files', paths: files }, used: 1 } : undefined),
  };
}

/** `./a` beside the file; `a/b` in a directory of the load path. */
function required(project: ProjectFiles, module: string, from: string): ModuleTarget {
  const path = module.endsWith(EXTENSION) ? module : module + EXTENSION;
  if (module.startsWith('.')) {
    const beside = joinPath(directoryOf(from), path);
    return beside !== undefined && project.has(beside)
      ? { kind: 'files', paths: [beside], merges: true }
      : { kind: 'unresolved' };
  }
  const [found] = project
    .endingWith(path)
    .filter((each) =>
      /^(?:|.*\/)(?:lib|app\/\w+|test|spec|)\/?$/.test(each.slice(0, each.length - path.length)),
    )
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return found === undefined ? { kind: 'external', module } : { kind: 'files', paths: [found], merges: true };
}
