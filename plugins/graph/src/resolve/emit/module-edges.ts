import type { ImportBinding } from '../declarations.js';
import type { Engine } from '../engine/engine.js';
import type { Instruction } from '../instructions.js';
import type { Target, Unit } from '../program.js';
import type { GraphBuilder } from './graph-builder.js';

/** An object of all exports of a module is passed on: which of them are used is not known. */
const PASSED_ON = 0.5;

/** Place of a use: the symbol around it and its line. */
export interface Position {
  readonly source: number;
  readonly line: number;
}

type LoadedModule = Extract<Instruction, { kind: 'module' }>;

/** Edges from the files of one module to those of others. */
export class ModuleEdges {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  import(builder: GraphBuilder, binding: ImportBinding): void {
    const { unit, source } = binding;
    // `import a.b` binds `a` and imports `a.b`.
    const { root: _, ...statement } = binding.statement;
    const { module, line, form } = statement;
    const target = this.#engine.project.find(statement, unit);
    if (target.kind === 'external')
      builder.external({ source, module: target.module, kind: 'imports', line });
    else if (target.kind === 'unresolved')
      builder.unresolved({ source, name: module, kind: 'imports', line });
    else if (!target.included) {
      const units = this.#engine.project.unitsOf(target.paths);
      const name = form === 'named' ? statement.name : undefined;
      const found =
        (units.length > 1 || target.mayLack) && name !== undefined
          ? this.#engine.bindings.exported(units, name)
          : undefined;
      if (found === null && target.mayLack) builder.external({ source, module, kind: 'imports', line });
      else if (found === null) builder.unresolved({ source, name: module, kind: 'imports', line });
      const submodule = name === undefined ? null : this.#engine.bindings.submodule(units, name);
      const isSubmodule = submodule && this.#engine.bindings.import(binding)?.kind === 'module';
      const declaring =
        found?.kind === 'variable' ? [found.variable.scope.unit] : found === null ? [] : units;
      const named = (isSubmodule ? submodule : declaring).filter(
        (each) => each !== unit && this.#engine.project.isFile(each),
      );
      // All names of a package: of its files, those are imported that declare a name of this one.
      const isPackage = form === 'wildcard' && !target.within && unit.rules.privateImports === true;
      // `from a import *` of Python makes all names of `a` names of this file.
      const isOffered = form === 'wildcard' && (statement.reexport || unit.rules.wildcardTakes);
      for (const { path } of named) {
        if (!isPackage || builder.names(path)) builder.edge(0, path, 'imports', line, 'import');
        if (isOffered) builder.edge(0, path, 'references', line, 'import');
      }
    }
  }

  load(builder: GraphBuilder, { unit, module, line, source, isWhole }: LoadedModule): void {
    const target = this.#engine.project.find({ module, form: 'namespace' }, unit);
    if (target.kind === 'external')
      builder.external({ source: 0, module: target.module, kind: 'imports', line });
    else if (target.kind === 'unresolved')
      builder.unresolved({ source: 0, name: module, kind: 'imports', line });
    else {
      const units = this.#engine.project.unitsOf(target.paths);
      for (const each of units) if (each !== unit) builder.edge(0, each.path, 'imports', line, 'import');
      if (isWhole) this.whole(builder, unit, { kind: 'module', units }, { source, line }, 'flow');
    }
  }

  /** A module that an export statement loads. */
  offer(builder: GraphBuilder, unit: Unit, module: string, line: number): void {
    const target = this.#engine.project.find({ module, form: 'namespace' }, unit);
    if (target.kind !== 'files') return;
    const units = this.#engine.project.unitsOf(target.paths);
    this.whole(builder, unit, { kind: 'module', units }, { source: 0, line }, 'import');
  }

  /** A module as an object: offered to all importers of this one (`import`), or passed on (`flow`). */
  whole(
    builder: GraphBuilder,
    unit: Unit,
    target: Target | null,
    { source, line }: Position,
    reason: 'import' | 'flow',
  ): void {
    for (const each of unitsIn(target)) {
      if (each === unit || !this.#engine.project.isFile(each)) continue;
      builder.edge(source, each.path, 'references', line, reason, reason === 'flow' ? PASSED_ON : undefined);
    }
  }
}

/** The files of a module, or of the value that it assigns as a whole. */
function unitsIn(target: Target | null): readonly Unit[] {
  if (target?.kind === 'module') return target.units;
  return target?.kind === 'assigned' && target.name === undefined ? [target.unit] : [];
}
