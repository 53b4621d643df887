import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { Modules, ModuleTarget, ProjectFiles } from '../modules.js';
import { findFile } from './ecmascript-files.js';
import { directoryOf, Packages } from './ecmascript-packages.js';
import { CompilerOptions } from './ecmascript-tsconfig.js';

/** Finds modules like TypeScript and Node: relative paths, `imports`, `paths`, packages of the project, `exports`. */
export function ecmascriptModules(files: ProjectFiles): Modules {
  const packages = new Packages(files);
  const options = new CompilerOptions(files, packages);
  const cache = new Map<string, ModuleTarget>();

  const find = (module: string, from: string): ModuleTarget => {
    if (isBuiltin(module)) {
      const isNode = module.startsWith('node:');
      const file = isNode
        ? undefined
        : (fromPaths(module, from) ?? (packages.hasNodeTypes(from) ? undefined : fromBase(module, from)));
      return file ?? external(isNode ? module : `node:${module}`);
    }
    if (/^\.{1,2}(?:\/|$)/.test(module)) return fileOr(relative(module, from)) ?? UNRESOLVED;
    const around = packages.around(from);
    if (module.startsWith('#')) {
      const { file, bare } = around ? packages.internal(around, module, from) : {};
      return (
        fileOr(file) ??
        (bare === undefined ? fromOptions(module, from) : bareModule(bare, from)) ??
        UNRESOLVED
      );
    }
    return fromOptions(module, from) ?? byConvention(module, from) ?? bareModule(module, from);
  };

  const relative = (module: string, from: string): string | undefined => {
    const isDirectory = /(?:^|\/)\.{1,2}$/.test(module);
    const path = posix.join(directoryOf(from), isDirectory ? `${module}/` : module);
    if (path.startsWith('..')) return undefined;
    const root = path === './' ? '' : path;
    return findFile(files, root, from) ?? entryOf(root, from) ?? packages.sourceOf(root, from);
  };

  /** The `main` of a directory with a manifest. */
  const entryOf = (path: string, from: string): string | undefined => {
    const found = packages.around(posix.join(path, 'index.js'));
    const isOf = found?.directory === path.replace(/\/$/, '');
    return isOf ? packages.entry(found, '.', from) : undefined;
  };

  const fromPaths = (module: string, from: string): ModuleTarget | undefined =>
    firstOf(options.mapped(module, from), from);

  const fromBase = (module: string, from: string): ModuleTarget | undefined => {
    const candidate = options.inBase(module, from);
    return candidate === undefined ? undefined : firstOf([candidate], from);
  };

  const fromOptions = (module: string, from: string): ModuleTarget | undefined =>
    fromPaths(module, from) ?? fromBase(module, from);

  const firstOf = (candidates: readonly string[], from: string): ModuleTarget | undefined => {
    for (const candidate of candidates) {
      const found = fileOr(findFile(files, candidate, from) ?? entryOf(candidate, from));
      if (found) return found;
    }
    return undefined;
  };

  const byConvention = (module: string, from: string): ModuleTarget | undefined => {
    const root = packages.around(from)?.directory ?? '';
    const [, folders] = CONVENTIONS.find(([alias]) => alias.test(module)) ?? [];
    if (!folders || options.hasPaths(from)) return undefined;
    const path = module.replace(/^[^/]*\/?/, '');
    const found = folders.map((folder) => fileOr(findFile(files, posix.join(root, folder, path), from)));
    return found.find((each) => each !== undefined);
  };

  const bareModule = (module: string, from: string): ModuleTarget => {
    const [, name = module, rest] = /^(@[^/]+\/[^/]+|[^@/][^/]*)(?:\/(.*))?$/.exec(module) ?? [];
    const found = packages.named(name);
    const file = found && packages.entry(found, rest === undefined ? '.' : `./${rest}`, from);
    if (file !== undefined) return { kind: 'files', paths: [file] };
    return external(/^[a-z][a-z\d+.-]*:/i.test(module) ? module : name);
  };

  return {
    find({ module }, from) {
      const key = `${directoryOf(from)}\0${posix.extname(from)}\0${module}`;
      let found = cache.get(key);
      if (!found) {
        found = find(module.replace(/[?](?:(?:raw|url|inline|worker|react)$|[^?=]*=.*)/s, ''), from);
        cache.set(key, found);
      }
      return found;
    },
  };
}

/**
 * Aliases of folders of a package, which SvelteKit, Nuxt and templates of Vite configure outside of `tsconfig.json`, or in
 * one that they generate. No package can have such a name.
 */
const CONVENTIONS: ReadonlyArray<readonly [alias: RegExp, folders: readonly string[]]> = [
  [/^\$lib(?:\/|$)/, ['src/lib']],
  [/^[~@]\//, ['src', 'app', '']],
  [/^(?:~~|@@)\//, ['']],
];

const UNRESOLVED: ModuleTarget = { kind: 'unresolved' };

function external(module: string): ModuleTarget {
  return { kind: 'external', module };
}

function fileOr(path: string | undefined): ModuleTarget | undefined {
  return path === undefined ? undefined : { kind: 'files', paths: [path] };
}
