import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { isLibraryHeader } from './c-headers.js';
import { directoryOf, joinPath, sharedDirectories } from './paths.js';

/** Includes make the names of a file visible in another. */
export function cModules(project: ProjectFiles): Modules {
  return {
    find: ({ module, form }, from) => {
      if (form === 'load') return included(project, module, from);
      return (form === 'wildcard' && namespaceOf(project, module)) || { kind: 'external', module };
    },
    ofPath: (names, from) => {
      if (names[0] === '') return { target: { kind: 'files', paths: [from], merges: true }, used: 1 };
      const used = project.openedByMacros(names);
      if (used > 0) return { target: { kind: 'files', paths: [from], merges: true }, used };
      return names[0] === 'std' ? { target: { kind: 'external', module: 'std' }, used: 1 } : undefined;
    },
  };
}

/** A namespace of the project: the first file that has it, since it is one in all files. */
function namespaceOf(project: ProjectFiles, module: string): ModuleTarget | undefined {
  const within = module.split('::');
  // A project may specialize templates of the standard library.
  const [path] = within[0] === 'std' ? [] : project.ofNamespace(within.join('.'));
  return path === undefined ? undefined : { kind: 'files', paths: [path], within, included: true };
}

/** `"a.h"` beside the file first; then, like `<a.h>`, anywhere in the project, the nearest first. */
function included(project: ProjectFiles, module: string, from: string): ModuleTarget {
  const isSystem = module.startsWith('<');
  const path = module.replace(/^<(.*)>$/, '$1');
  const beside = joinPath(directoryOf(from), path);
  if (!isSystem && beside !== undefined && project.has(beside)) return files(beside);
  const plain = joinPath('', path.replace(/^(?:\.\.?\/)+/, ''));
  const candidates = plain === undefined || plain === '' ? [] : project.endingWith(plain);
  const [nearest] = isSystem && isLibraryHeader(path) ? [] : [...candidates].sort(byDistance(from));
  if (nearest !== undefined) return files(nearest);
  return isSystem ? { kind: 'external', module: path } : { kind: 'unresolved' };
}

function files(path: string): ModuleTarget {
  return { kind: 'files', paths: [path], merges: true };
}

/** Files that share more directories with another come first. */
function byDistance(from: string): (a: string, b: string) => number {
  const shared = (path: string): number => sharedDirectories(path, from);
  return (a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1);
}
