import type { Engine } from '../engine/engine.js';
import type { CallResult, Evidence } from '../engine/call-result.js';
import type { Class, Func, ImportBinding } from '../declarations.js';
import type { Target, Unit, Variable } from '../program.js';
import { GraphBuilder, type FileFrame } from './graph-builder.js';
import { Hierarchy } from './hierarchy.js';
import { UniqueNames } from './unique-names.js';
import type { FileGraph } from '../../model.js';

/** A call with more targets is unresolved: they cannot be told apart. */
const MAX_TARGETS = 30;
const OVERRIDER = 0.7;
const ONLY_OVERRIDER = 0.8;

/** Writes what the engine found as graphs of files, in order of their paths. */
export function emitGraphs(engine: Engine, frames: ReadonlyMap<string, FileFrame>): FileGraph[] {
  return new Emitter(engine, frames).run();
}

class Emitter {
  readonly #engine: Engine;
  readonly #builders = new Map<Unit, GraphBuilder>();
  readonly #hierarchy: Hierarchy;
  readonly #uniqueNames: UniqueNames;

  constructor(engine: Engine, frames: ReadonlyMap<string, FileFrame>) {
    this.#engine = engine;
    const { units } = engine.project;
    for (const unit of units) {
      const frame = frames.get(unit.path);
      if (frame) this.#builders.set(unit, new GraphBuilder(frame));
    }
    this.#hierarchy = new Hierarchy(engine, units);
    this.#uniqueNames = new UniqueNames(units);
  }

  run(): FileGraph[] {
    for (const [unit, builder] of this.#builders) {
      for (const each of unit.imports) this.#import(builder, each);
      for (const each of unit.instructions) {
        if (each.kind === 'module') this.#moduleValue(builder, unit, each.module, each.line);
      }
      for (const each of unit.classes) {
        this.#supertypes(builder, each);
        this.#implementers(each);
      }
      for (const each of unit.uses) this.#use(builder, each.source, each.line, this.#targetOf(each.binding));
      for (const each of unit.typeUses) this.#typeUse(builder, each.source, each.type, each.scope);
    }
    for (const { load, hit } of this.#engine.references.found) {
      const builder = this.#builders.get(load.unit);
      if (!builder) continue;
      if (hit.kind === 'method')
        for (const each of hit.functions) this.#reference(builder, load, each, 'type');
      else if (hit.kind === 'accessor') this.#reference(builder, load, hit.function, 'type');
      else if (hit.kind === 'node' && hit.variable) {
        this.#useVariable(builder, load.source, load.line, hit.variable, hit.inModule ? 'scope' : 'type');
      }
    }
    for (const each of this.#engine.calls.results) this.#call(each);
    return [...this.#builders.values()].map((builder) => builder.build());
  }

  #idOf(target: Func | Class): string | undefined {
    return target.symbol === undefined ? undefined : this.#builders.get(target.unit)?.idOf(target.symbol + 1);
  }

  #import(builder: GraphBuilder, binding: ImportBinding): void {
    const { unit, source } = binding;
    // What `import a.b` binds is `a`; what it imports is `a.b`.
    const { root: _, ...statement } = binding.statement;
    const { module, line, form } = statement;
    const target = this.#engine.project.find(statement, unit);
    if (target.kind === 'external')
      builder.external({ source, module: target.module, kind: 'imports', line });
    else if (target.kind === 'unresolved')
      builder.unresolved({ source, name: module, kind: 'imports', line });
    else {
      const units = this.#engine.project.unitsOf(target.paths);
      const name = form === 'named' ? statement.name : undefined;
      const found =
        units.length > 1 && name !== undefined ? this.#engine.bindings.exported(units, name) : undefined;
      if (found === null) builder.unresolved({ source, name: module, kind: 'imports', line });
      const submodule = name === undefined ? null : this.#engine.bindings.submodule(units, name);
      const isSubmodule = submodule && this.#engine.bindings.import(binding)?.kind === 'module';
      const declaring =
        found?.kind === 'variable' ? [found.variable.scope.unit] : found === null ? [] : units;
      const named = isSubmodule ? submodule : declaring;
      for (const each of named) {
        if (each !== unit && this.#builders.has(each)) builder.edge(0, each.path, 'imports', line, 'import');
      }
    }
  }

  #moduleValue(builder: GraphBuilder, unit: Unit, module: string, line: number): void {
    const target = this.#engine.project.find({ module, form: 'namespace' }, unit);
    if (target.kind === 'external')
      builder.external({ source: 0, module: target.module, kind: 'imports', line });
    else if (target.kind === 'unresolved')
      builder.unresolved({ source: 0, name: module, kind: 'imports', line });
    else {
      for (const each of this.#engine.project.unitsOf(target.paths)) {
        if (each !== unit) builder.edge(0, each.path, 'imports', line, 'import');
      }
    }
  }

  #supertypes(builder: GraphBuilder, container: Class): void {
    if (container.symbol === undefined) return;
    const source = container.symbol + 1;
    for (const { relation, type, scope } of container.supertypes) {
      const line = type.kind === 'named' ? type.line : container.code.line;
      for (const value of this.#engine.types.node(type, scope).values ?? []) {
        if (value.kind !== 'instance' && value.kind !== 'external') continue;
        const isInterface = value.kind === 'instance' && value.class.code.form === 'interface';
        const implementing =
          relation === 'implements' || (isInterface && container.code.form !== 'interface');
        const kind = implementing ? 'implements' : 'extends';
        if (value.kind === 'external')
          builder.external({ source, module: value.module, name: value.name, kind, line });
        else if (this.#engine.builtins.isBuiltin(value.class)) {
          builder.external({ source, module: '', name: value.class.name ?? '', kind, line });
        } else {
          const target = this.#idOf(value.class);
          if (target !== undefined) builder.edge(source, target, kind, line, 'scope');
        }
      }
    }
  }

  /** Types that implement an interface without saying so. */
  #implementers(container: Class): void {
    const target = this.#idOf(container);
    const isStructural = container.unit.rules.structuralInterfaces && container.code.form === 'interface';
    if (!isStructural || target === undefined) return;
    for (const { unit, symbol, code } of this.#hierarchy.implementersOf(container)) {
      if (symbol !== undefined)
        this.#builders.get(unit)?.edge(symbol + 1, target, 'implements', code.line, 'type');
    }
  }

  #targetOf(binding: Unit['uses'][number]['binding']): Target | null {
    if (!('kind' in binding)) return this.#engine.bindings.follow({ kind: 'variable', variable: binding });
    const { target } = binding;
    if (target?.kind !== 'member') return target;
    const found = this.#engine.classes.member(target.class, binding.name, 'instance');
    return found && { kind: 'variable', variable: found.variable };
  }

  #use(builder: GraphBuilder, source: number, line: number, target: Target | null): void {
    if (target?.kind === 'variable') this.#useVariable(builder, source, line, target.variable, 'scope');
    else if (target?.kind === 'external' && target.name !== '') {
      builder.external({ source, module: target.module, name: target.name, kind: 'references', line });
    }
  }

  #useVariable(
    builder: GraphBuilder,
    source: number,
    line: number,
    variable: Variable,
    reason: 'scope' | 'type',
  ): void {
    const unit = variable.scope.unit;
    const declared = variable.declarations?.find((each) => each.kind === 'function' || each.kind === 'class');
    const local = variable.scope.kind !== 'file' && variable.scope.kind !== 'class' && !declared;
    const symbol = declared?.symbol ?? variable.symbol;
    if (symbol === undefined || local) return;
    const target = this.#builders.get(unit)?.idOf(symbol + 1);
    if (target !== undefined && target !== builder.idOf(source)) {
      builder.edge(source, target, 'references', line, reason);
    }
  }

  #reference(
    builder: GraphBuilder,
    { source, line }: { readonly source: number; readonly line: number },
    target: Func,
    reason: 'type',
  ): void {
    const id = this.#idOf(target);
    if (id !== undefined) builder.edge(source, id, 'references', line, reason);
  }

  #typeUse(
    builder: GraphBuilder,
    source: number,
    type: Unit['typeUses'][number]['type'],
    scope: Class['scope'],
  ): void {
    switch (type.kind) {
      case 'named': {
        for (const each of type.arguments ?? []) this.#typeUse(builder, source, each, scope);
        const target = this.#engine.typeNames.find(type.path, scope);
        if (!target || target.kind === 'parameter') return;
        const name = type.path.at(-1) ?? '';
        if (target.kind === 'external') {
          builder.external({
            source,
            module: target.module,
            name: target.name,
            kind: 'references',
            line: type.line,
          });
          return;
        }
        if (target.kind === 'variable') {
          this.#useVariable(builder, source, type.line, target.variable, 'scope');
          return;
        }
        const symbol = target.kind === 'class' ? target.class.symbol : target.alias.symbol;
        const unit = target.kind === 'class' ? target.class.unit : target.alias.scope.unit;
        if (this.#engine.builtins.unitOf(unit.rules) === unit) {
          builder.external({ source, module: '', name, kind: 'references', line: type.line });
        } else if (symbol !== undefined) {
          const id = this.#builders.get(unit)?.idOf(symbol + 1);
          if (id !== undefined && id !== builder.idOf(source)) {
            builder.edge(source, id, 'references', type.line, 'scope');
          }
        }
        return;
      }
      case 'union':
      case 'intersection':
      case 'tuple':
      case 'other':
        for (const each of type.of ?? []) this.#typeUse(builder, source, each, scope);
        return;
      case 'list':
      case 'wrapper':
      case 'indexed':
        this.#typeUse(builder, source, type.of, scope);
        return;
      case 'map':
        this.#typeUse(builder, source, type.key, scope);
        this.#typeUse(builder, source, type.of, scope);
        return;
      case 'function':
        for (const each of type.parameters) this.#typeUse(builder, source, each, scope);
        if (type.returns) this.#typeUse(builder, source, type.returns, scope);
        return;
      case 'object':
      case 'typeof':
      case 'self':
    }
  }

  #call(call: CallResult): void {
    const { site } = call;
    const builder = this.#builders.get(site.unit);
    if (!builder || (site.isOperation && !site.unit.rules.operationsCall)) return;
    const { source, line } = site;
    if (call.targets.size > MAX_TARGETS) call.targets.clear();
    for (const each of call.conversions) {
      const id = this.#idOf(each);
      if (id !== undefined) builder.edge(source, id, 'references', line, 'scope');
    }
    // What overrides a method of the declared type is found through the hierarchy, whatever else leads to it.
    const overriding = new Set<Func | Class>(
      [...call.targets].flatMap(([target, { open }]) =>
        open && target.kind === 'function' ? this.#hierarchy.overridersOf(target) : [],
      ),
    );
    for (const [target, evidence] of call.targets) {
      const id = this.#idOf(target);
      if (id === undefined) continue;
      if (!overriding.has(target)) builder.edge(source, id, 'calls', line, evidence.reason);
      this.#overriders(builder, call, target, evidence);
    }
    for (const { module, name } of call.externals) {
      builder.external({ source, module, name, kind: 'calls', line });
    }
    const isKnown = call.targets.size > 0 || call.externals.size > 0 || call.conversions.size > 0;
    if (isKnown || site.name === undefined || site.implicit) return;
    const object = site.callee.kind === 'member' ? site.callee.object : undefined;
    // What a field holds cannot be told from its name.
    const isField = object?.values?.some(
      (each) =>
        each.kind === 'instance' && this.#engine.classes.member(each.class, site.name ?? '', 'instance'),
    );
    const guess = object && !isField ? this.#uniqueNames.find(site.name, site.unit.rules) : undefined;
    const id = guess && this.#idOf(guess);
    if (id !== undefined) builder.edge(source, id, 'calls', line, 'unique_name');
    else builder.unresolved({ source, name: site.name, kind: 'calls', line });
  }

  #overriders(builder: GraphBuilder, { site }: CallResult, target: Func | Class, evidence: Evidence): void {
    if (!evidence.open || target.kind !== 'function') return;
    const overriders = this.#hierarchy.overridersOf(target);
    const confidence = overriders.length === 1 ? ONLY_OVERRIDER : OVERRIDER;
    for (const each of overriders) {
      const id = this.#idOf(each);
      if (id !== undefined) builder.edge(site.source, id, 'calls', site.line, 'hierarchy', confidence);
    }
  }
}
