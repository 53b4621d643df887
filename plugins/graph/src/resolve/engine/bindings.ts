import type { ModuleTarget } from '../modules.js';
import { plainName } from '../compile/keys.js';
import type { Class, ImportBinding } from '../declarations.js';
import type { Scope, Target, Unit, Variable } from '../program.js';
import type { Builtins } from './builtin-types.js';
import { CircularLookups, Lookups } from './circular-lookups.js';
import { GlobalNames } from '../globals.js';
import type { Project } from './project.js';
import { bindingOf, importOf, isQualified, isTaken, passesNames } from './names-of-files.js';
import { memberAround } from './member-around.js';
import { isDeclared, isFunction, SharedNames } from './shared-names.js';
import { UnnamedImports } from './unnamed-imports.js';
import { Wildcards } from './wildcards.js';

/** Chains of imports and re-exports are followed this far. */
const MAX_HOPS = 40;

/** Finds names across files, before any values flow. */
export class Bindings {
  readonly #project: Project;
  readonly #builtins: Builtins;
  readonly #memberOf: (target: Target, name: string) => Target | null;
  readonly #lookups = new CircularLookups();
  readonly #imports = new Lookups<ImportBinding, Target>();
  readonly #exports = new Map<Unit, Lookups<string, Target>>();
  readonly #outside = new Map<Unit | Class, Lookups<string, Target>>();
  readonly #passed = new Map<Class, Lookups<string, Target>>();
  readonly wildcards: Wildcards;
  readonly #shared: SharedNames;
  readonly #globals: GlobalNames;
  readonly #unnamed: UnnamedImports;

  /** `memberOf`: the static member of a class, or the name of a module. */
  constructor(
    project: Project,
    builtins: Builtins,
    memberOf: (target: Target, name: string) => Target | null,
  ) {
    this.#project = project;
    this.#builtins = builtins;
    this.#memberOf = memberOf;
    this.#shared = new SharedNames(project);
    this.#globals = new GlobalNames(project.units);
    this.#unnamed = new UnnamedImports(project);
    this.wildcards = new Wildcards(project.units);
  }

  /** The binding of an import; null if it is not found. */
  import(binding: ImportBinding): Target | null {
    return this.#lookups.find(this.#imports, binding, () => this.#findImport(binding));
  }

  #findImport({ statement, unit, variable }: ImportBinding): Target | null {
    const { form, name } = statement;
    const target = this.#project.find(statement, unit);
    if (target.kind === 'unresolved') return null;
    const wanted = form === 'default' ? 'default' : name;
    if (target.kind === 'external') {
      return {
        kind: 'external',
        module: target.module,
        name: wanted === undefined || target.whole ? '' : plainName(wanted),
      };
    }
    const units = this.#project.unitsOf(target.paths);
    const asModule: Target = { kind: 'module', units };
    if (units.length === 0) return null;
    if (target.whole || wanted === undefined) {
      const only = units.length === 1 ? units[0] : undefined;
      return only?.assigned ? { kind: 'assigned', unit: only, name: undefined } : asModule;
    }
    const found = this.#within(target, wanted);
    // A CommonJS module is its own default.
    if (!found && form === 'default') return asModule;
    // `from . import submodule` in the package itself finds its own name.
    const isOwn = found?.kind === 'variable' && found.variable === variable;
    const submodule = isOwn ? this.submodule(units, wanted) : null;
    if (submodule) return { kind: 'module', units: submodule };
    return found ?? (target.mayLack ? { kind: 'external', module: '', name: wanted } : null);
  }

  /** A name of files or of a type in them, else the type itself. */
  #within({ paths, within = [] }: Extract<ModuleTarget, { kind: 'files' }>, name?: string): Target | null {
    const [first, ...rest] = name === undefined ? within : [...within, name];
    let found = first === undefined ? null : this.exported(this.#project.unitsOf(paths), first);
    for (const each of rest) found = found && this.#memberOf(found, each);
    return found;
  }

  /** The variable, module or external that a name of a module is. */
  exported(units: readonly Unit[], name: string): Target | null {
    for (const unit of units) {
      const found = this.#exportedBy(unit, name, 0);
      if (found) return found;
    }
    const submodule = this.submodule(units, name);
    return submodule && { kind: 'module', units: submodule };
  }

  /** The submodule of a name. */
  submodule(units: readonly Unit[], name: string): readonly Unit[] | null {
    const [first] = units;
    const paths = units.map((unit) => unit.path);
    const target = first && this.#project.modules(first.rules).submodule?.(paths, name);
    return target?.kind === 'files' ? this.#project.unitsOf(target.paths) : null;
  }

  #exportedBy(unit: Unit, name: string, hops: number): Target | null {
    // Most files that are asked lack a name: nothing is kept for them.
    if (hops > MAX_HOPS || (!bindingOf(unit, name) && !passesNames(unit))) return null;
    let known = this.#exports.get(unit);
    if (!known) this.#exports.set(unit, (known = new Lookups()));
    return this.#lookups.find(known, name, () => this.#findExport(unit, name, hops));
  }

  #findExport(unit: Unit, name: string, hops: number): Target | null {
    const binding = bindingOf(unit, name);
    const isImported = binding && !('kind' in binding) && !isDeclared(binding);
    if (unit.rules.privateImports && (!binding || isImported)) return null;
    if (binding && !('kind' in binding)) return this.follow({ kind: 'variable', variable: binding });
    if (binding?.target && binding.target.kind !== 'member') return binding.target;
    if (unit.assigned) return { kind: 'assigned', unit, name: name === 'default' ? undefined : name };
    for (const { statement } of name === 'default' ? [] : this.wildcards.ofFile(unit)) {
      if (!this.wildcards.affords(unit)) break;
      const target = this.#project.find(statement, unit);
      if (target.kind !== 'files') continue;
      if (target.within) {
        const found = this.#inModule(target, name, new Set());
        if (found) return found;
        continue;
      }
      for (const other of this.#project.unitsOf(target.paths)) {
        const found =
          other === unit || !isTaken(other, name) ? null : this.#exportedBy(other, name, hops + 1);
        if (found) return found;
      }
    }
    return null;
  }

  /** Follows imports to what they import. */
  follow(target: Target): Target {
    let current = target;
    for (let hops = 0; hops < MAX_HOPS && current.kind === 'variable'; hops += 1) {
      const imported = importOf(current.variable);
      const next = imported && this.import(imported);
      if (!next) return current;
      current = next;
    }
    return current;
  }

  /** Looks up a name that the scopes of a file do not declare. `from`: where it stands; the file itself by default. */
  outside(name: string, unit: Unit, from = unit.scope): Target | null {
    const place = this.wildcards.placeOf(from);
    let known = this.#outside.get(place);
    if (!known) this.#outside.set(place, (known = new Lookups()));
    return this.#lookups.find(known, name, () => this.#findOutside(name, unit, from));
  }

  /** A name that code in a namespace sees because the namespace imports all names of a module of the project. */
  passedBy(container: Class, name: string): Target | null {
    const imports = this.wildcards.ofNamespace(container);
    if (imports.length === 0) return null;
    let known = this.#passed.get(container);
    if (!known) this.#passed.set(container, (known = new Lookups()));
    return this.#lookups.find(known, name, () => this.#throughWildcards(imports, name, new Set()));
  }

  /** The same for code outside the namespace, which names its members. */
  offeredBy(container: Class, name: string): Target | null {
    return container.unit.rules.privateImports ? null : this.passedBy(container, name);
  }

  #throughWildcards(imports: readonly ImportBinding[], name: string, externals: Set<string>): Target | null {
    for (const { statement, unit } of imports) {
      if (!this.wildcards.affords(unit)) break;
      if (statement.reexport) continue;
      if (!statement.static && unit.rules.wildcardNames?.test(name) === false) continue;
      const target = this.#project.find(statement, unit);
      const takes =
        target.kind !== 'files' || this.#project.unitsOf(target.paths).some((each) => isTaken(each, name));
      const found = takes ? this.#inModule(target, name, externals) : null;
      if (found) return found;
    }
    return null;
  }

  #findOutside(name: string, unit: Unit, from: Scope): Target | null {
    if (name === unit.rules.exportsName) {
      return unit.assigned ? { kind: 'assigned', unit, name: undefined } : { kind: 'module', units: [unit] };
    }
    const modules = this.#project.modules(unit.rules);
    const own = modules.scopeOf?.(unit.path);
    const scopes = [...(own === undefined ? [] : [own]), ...(modules.visibleScopes?.(unit.path) ?? [])];
    for (const key of scopes) {
      const variable = this.#shared.find(key, name, unit.path);
      if (variable) return this.follow({ kind: 'variable', variable });
    }
    const imported = this.#unnamed.modules(unit).get(name);
    if (imported) return imported;
    const loaded = this.exported(this.#unnamed.files(unit), name);
    if (loaded) return loaded;
    const externals = new Set<string>();
    const passed = this.#throughWildcards(this.wildcards.around(from), name, externals);
    if (passed) return passed;
    for (const target of modules.implicit?.(unit.path, name) ?? []) {
      const found = this.#inModule(target, name, externals);
      if (found) return found;
    }
    if (this.#builtins.find(unit.rules, name) || unit.rules.isBuiltin?.(name)) {
      return { kind: 'external', module: '', name };
    }
    const global = this.global(name, unit);
    if (global) return { kind: 'variable', variable: global };
    const [module] = externals;
    if (module === undefined || (externals.size > 1 && !unit.rules.privateImports)) return null;
    // Which of several modules has it is not known, only that it is one of them.
    const isStatic = unit.imports.some((each) => each.statement.static && each.statement.form === 'wildcard');
    return {
      kind: 'external',
      module: externals.size === 1 ? module : '',
      name: plainName(name),
      isGuess: true,
      ...(unit.rules.wildcardNames && !isStatic && { isType: true }),
    };
  }

  /** A global variable that the file sets, or another script declares. */
  global(name: string, unit: Unit): Variable | undefined {
    const own = unit.scope.names.get(name);
    return own?.isGlobal ? own : this.#globals.find(name, unit);
  }

  /** A name that a wildcard may mean. `externals`: gets modules outside the project, which may have any name. */
  #inModule(target: ModuleTarget, name: string, externals: Set<string>): Target | null {
    const around = target.kind === 'files' && target.within ? this.#within(target) : target;
    if (around?.kind === 'external') externals.add(around.module);
    return target.kind === 'files' && around?.kind !== 'external' ? this.#within(target, name) : null;
  }

  /** The module that a path of names starts with, and how many names it takes. */
  ofPath(names: readonly string[], unit: Unit): { readonly target: Target; readonly used: number } | null {
    const found = this.#project.modules(unit.rules).ofPath?.(names, unit.path);
    if (!found || found.target.kind === 'unresolved') return null;
    const { target, used } = found;
    if (target.kind === 'external') return { target: { ...target, name: '' }, used };
    const around = target.within && this.#within(target);
    if (around) return { target: around, used };
    const units = this.#project.unitsOf(target.paths);
    const name = names[used];
    const isRoot = target.merges === true || (names[0] === '' && used === 1);
    if (isRoot && name !== undefined && !this.exported(units, name)) {
      // `\\strlen`, `::printf`: the root has what the language and the loaded files declare, too.
      const outer = this.outside(name, unit);
      if (outer) return { target: outer, used: used + 1 };
    }
    if (target.otherwise !== undefined && name !== undefined && !this.exported(units, name))
      return { target: { kind: 'external', module: target.otherwise, name: '' }, used: used + 1 };
    return { target: { kind: 'module', units }, used };
  }

  /** The meaning of a type name in a scope. Members of classes around it come through `member`. */
  named(
    name: string,
    from: Scope,
    member: (container: Class, name: string) => Variable | undefined,
  ): Target | null {
    let plain: Variable | undefined;
    for (let scope: Scope | null = from; scope; scope = scope.parent) {
      const variable = scope.names.get(name) ?? memberAround(scope, name, member);
      if (scope.class && variable && isQualified(variable)) continue;
      if (from.unit.rules.typesByArity && variable && isFunction(variable)) continue;
      if (variable?.declarations) return this.follow({ kind: 'variable', variable });
      plain ??= variable;
      const passed = scope.class && !plain ? this.passedBy(scope.class, name) : null;
      if (passed) return passed;
    }
    const found = this.outside(name, from.unit, from);
    return plain && (!found || found.kind === 'external') ? { kind: 'variable', variable: plain } : found;
  }
}
