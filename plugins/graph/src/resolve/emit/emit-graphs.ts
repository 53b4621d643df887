import type { code } from '@service-mcp/plugin-syntax/contract';
import type { Engine } from '../engine/engine.js';
import { targetsNamed } from '../engine/alternatives.js';
import { chanceOf, ONE_OF_OVERRIDERS, type CallResult, type Evidence } from '../engine/call-result.js';
import { isNullType } from '../engine/external-values.js';
import { eachBuiltWith } from '../engine/build-variants.js';
import { implementationOf } from '../engine/overloads.js';
import type { Class, Func } from '../declarations.js';
import type { Offer, Use } from '../instructions.js';
import type { Scope, Target, Unit, Variable } from '../program.js';
import { CONFIDENCE, GraphBuilder, type FileFrame } from './graph-builder.js';
import { Hierarchy } from './hierarchy.js';
import { implementingTypes, type Implementing } from './implementing-types.js';
import { methodsBelow } from './methods-below.js';
import { ModuleEdges, type Position } from './module-edges.js';
import { namedTypes } from './named-types.js';
import { receiversOf } from './receivers.js';
import { Symbols } from './symbols.js';
import { targetsOf } from './targets-of.js';
import { hasTooManyValues, hasUnknownReceiver, inheritedExternal, lacksFunctions } from './unknown-calls.js';
import type { UniqueNames } from './unique-names.js';
import type { FileGraph, Reason } from '../../model.js';

/** A call with more targets is unresolved. */
const MAX_TARGETS = 30;

/** Writes what the engine found as graphs of files, one by one. */
export function emitGraphs(
  engine: Engine,
  frames: ReadonlyMap<Unit, FileFrame>,
  uniqueNames: UniqueNames,
): Iterable<FileGraph> {
  return new Emitter(engine, frames, uniqueNames).run();
}

class Emitter {
  readonly #engine: Engine;
  readonly #frames: ReadonlyMap<Unit, FileFrame>;
  readonly #symbols: Symbols;
  readonly #implementing: ReadonlyMap<Unit, readonly Implementing[]>;
  readonly #modules: ModuleEdges;
  readonly #hierarchy: Hierarchy;
  readonly #uniqueNames: UniqueNames;

  constructor(engine: Engine, frames: ReadonlyMap<Unit, FileFrame>, uniqueNames: UniqueNames) {
    this.#engine = engine;
    this.#frames = frames;
    this.#symbols = new Symbols(frames);
    this.#modules = new ModuleEdges(engine);
    this.#hierarchy = new Hierarchy(engine, [...frames.keys()], (func) => this.#symbols.signatureOf(func));
    this.#implementing = implementingTypes(frames.keys(), this.#hierarchy, (each) =>
      this.#symbols.idOf(each),
    );
    this.#uniqueNames = uniqueNames;
  }

  *run(): Generator<FileGraph> {
    for (const [unit, frame] of this.#frames) yield this.#emit(unit, new GraphBuilder(frame, unit.note));
  }

  #emit(unit: Unit, builder: GraphBuilder): FileGraph {
    for (const each of unit.instructions) {
      if (each.kind === 'module') this.#modules.load(builder, each);
    }
    for (const each of unit.offers) this.#offer(builder, unit, each);
    for (const each of unit.classes) this.#supertypes(builder, each);
    for (const each of unit.functions) this.#signatures(builder, each);
    for (const { source, target, line } of this.#implementing.get(unit) ?? [])
      builder.edge(source, target, 'implements', line, 'type');
    for (const each of unit.uses) this.#use(builder, unit, each);
    for (const { source, type, scope } of unit.typeUses)
      for (const each of namedTypes(type)) this.#typeUse(builder, source, each, scope);
    for (const { origin, name, hit } of this.#engine.references.in(unit)) {
      if (hit.kind === 'method')
        for (const each of hit.functions) this.#reference(builder, origin, each, 'type');
      else if (hit.kind === 'accessor') this.#reference(builder, origin, hit.function, 'type');
      else if (hit.kind === 'node' && hit.variable) {
        this.#useVariable(builder, origin.source, origin.line, hit.variable, hit.inModule ? 'scope' : 'type');
      } else if (hit.kind === 'node' && name !== undefined) {
        for (const each of hit.node.values ?? [])
          if (each.kind === 'function' && this.#symbols.nameOf(each) === name)
            this.#reference(builder, origin, each, 'flow');
      }
    }
    for (const each of this.#engine.calls.in(unit)) this.#call(builder, each);
    for (const each of unit.imports) this.#modules.import(builder, each);
    return builder.build();
  }

  #supertypes(builder: GraphBuilder, { symbol, supertypes, code }: Class): void {
    if (symbol === undefined) return;
    const [source, start] = [symbol + 1, code.line];
    for (const { relation, type, scope, value: made, writtenIn, passed } of supertypes) {
      if (passed || writtenIn?.symbol !== undefined) continue;
      for (const each of made?.values ?? []) {
        const target = each.kind === 'class' ? this.#symbols.idOf(each) : undefined;
        if (target !== undefined) builder.edge(source, target, 'extends', start, 'flow');
        if (each.kind === 'external')
          builder.external({ source, module: each.module, name: each.name, kind: 'extends', line: start });
      }
      const line = type.kind === 'named' ? type.line : start;
      if (type.kind === 'named') this.#supertypeName(builder, source, type, scope);
      for (const value of this.#engine.types.node(type, scope).values ?? []) {
        if (value.kind !== 'instance' && value.kind !== 'external') continue;
        const isInterface = value.kind === 'instance' && value.class.code.form === 'interface';
        const implementing = relation === 'implements' || (isInterface && code.form !== 'interface');
        const kind = implementing ? 'implements' : 'extends';
        if (value.kind === 'external')
          builder.external({ source, module: value.module, name: value.name, kind, line });
        else if (this.#engine.builtins.isBuiltin(value.class)) {
          builder.external({ source, module: '', name: value.class.name ?? '', kind, line });
        } else {
          const target = this.#symbols.idOf(value.class);
          // A module may lend its methods to itself.
          if (target !== undefined && target !== builder.idOf(source))
            builder.edge(source, target, kind, line, 'scope');
        }
      }
    }
  }

  /** A function implements the signatures that it is overloaded with. */
  #signatures(builder: GraphBuilder, func: Func): void {
    if (func.symbol === undefined || implementationOf(func) !== func) return;
    for (const each of func.overloads ?? []) {
      const id = each === func ? undefined : this.#symbols.idOf(each);
      if (id !== undefined) builder.edge(func.symbol + 1, id, 'implements', each.code.line, 'scope');
    }
  }

  /** A variable or alias that stands for a supertype: `Base = declarative_base()`. */
  #supertypeName(builder: GraphBuilder, source: number, type: code.NamedType, scope: Scope): void {
    const kind = this.#engine.typeNames.find(type.path, scope)?.kind;
    if (kind === 'variable' || kind === 'alias') this.#typeUse(builder, source, type, scope);
  }

  #offer(builder: GraphBuilder, unit: Unit, { value, line }: Offer): void {
    if (typeof value === 'string') {
      this.#modules.offer(builder, unit, value, line);
      return;
    }
    const place = { source: 0, line };
    for (const target of targetsNamed(this.#engine, value)) {
      this.#modules.whole(builder, unit, target, place, 'import');
      this.#useTarget(builder, place, target, 'import');
    }
  }

  #use(builder: GraphBuilder, unit: Unit, { source, line, binding, isWhole }: Use): void {
    const place = { source, line };
    for (const target of targetsNamed(this.#engine, binding)) {
      if (isWhole) this.#modules.whole(builder, unit, target, place, 'flow');
      this.#useTarget(builder, place, target, 'scope');
    }
  }

  #useTarget(
    builder: GraphBuilder,
    { source, line }: Position,
    target: Target | null,
    reason: 'import' | 'scope',
  ): void {
    if (target?.kind === 'variable') this.#useVariable(builder, source, line, target.variable, reason);
    else if (target?.kind === 'external' && target.name !== '') {
      builder.external({ source, module: target.module, name: target.name, kind: 'references', line });
    } else if (target?.kind === 'assigned' && target.name === undefined) {
      for (const each of target.unit.assigned?.values ?? [])
        if (each.kind === 'function' || each.kind === 'class')
          this.#reference(builder, { source, line }, each, 'flow');
    }
  }

  #useVariable(
    builder: GraphBuilder,
    source: number,
    line: number,
    variable: Variable,
    reason: Reason,
  ): void {
    const target = this.#symbols.idOfVariable(variable);
    if (target !== undefined && target !== builder.idOf(source))
      builder.edge(source, target, 'references', line, reason);
  }

  #reference(builder: GraphBuilder, { source, line }: Position, target: Func | Class, reason: Reason): void {
    const id = this.#symbols.idOf(target);
    if (id !== undefined && id !== builder.idOf(source)) builder.edge(source, id, 'references', line, reason);
  }

  #typeUse(builder: GraphBuilder, source: number, type: code.NamedType, scope: Scope): void {
    const { path, line } = type;
    const target = this.#engine.typeNames.find(path, scope, type.arguments?.length ?? 0);
    if (!target || target.kind === 'parameter' || (target.kind === 'class' && isNullType(target.class)))
      return;
    if (target.kind === 'external' || target.kind === 'variable') {
      this.#useTarget(builder, { source, line }, target, 'scope');
      return;
    }
    const symbol = target.kind === 'class' ? target.class.symbol : target.alias.symbol;
    const unit = target.kind === 'class' ? target.class.unit : target.alias.scope.unit;
    if (this.#engine.builtins.unitOf(unit.rules) === unit) {
      builder.external({ source, module: '', name: path.at(-1) ?? '', kind: 'references', line });
    } else if (symbol !== undefined) {
      const id = this.#symbols.idIn(unit, symbol);
      if (id !== undefined && id !== builder.idOf(source)) {
        builder.edge(source, id, 'references', line, 'scope');
      }
    }
  }

  #call(builder: GraphBuilder, call: CallResult): void {
    const { site } = call;
    if (site.isOperation && !site.unit.rules.operationsCall) return;
    const { source, line, callee } = site;
    const isKnown = call.targets.length <= MAX_TARGETS && !hasTooManyValues(callee);
    const targets = isKnown ? targetsOf(this.#engine, call) : [];
    const externals = isKnown ? call.externals : [];
    for (const { type, reason } of call.types) this.#reference(builder, site, type, reason);
    // Overriders of a method of the declared type have the reason `hierarchy`, however they were found.
    const overriding = new Set<Func | Class>(
      targets.flatMap(({ target, evidence }) =>
        evidence.open && target.kind === 'function' ? this.#hierarchy.overridersOf(target) : [],
      ),
    );
    for (const { target, evidence } of targets) {
      const id = this.#symbols.idOf(target);
      if (id === undefined) continue;
      if (!overriding.has(target))
        builder.edge(source, id, 'calls', line, evidence.reason, chanceOf(evidence));
      // An extension is found through the import of its package.
      if (target.kind === 'function' && target.code.extension) builder.noteName(target.unit.path);
      this.#overriders(builder, call, target, evidence);
    }
    for (const { module, name } of externals) builder.external({ source, module, name, kind: 'calls', line });
    for (const each of isKnown ? call.inherited : [])
      this.#callOneOf(builder, site, this.#hierarchy.declaredBelow(each, site));
    for (const each of callee.kind === 'binding' ? targetsNamed(this.#engine, callee.binding) : [])
      if (each.kind === 'variable') call.use({ variable: each.variable, reason: 'scope' });
    const isCalled = (id: string | undefined) =>
      targets.some(({ target }) => this.#symbols.idOf(target) === id);
    for (const { variable, reason } of call.variables)
      if (!isCalled(this.#symbols.idOfVariable(variable)))
        this.#useVariable(builder, source, line, variable, reason);
    const isResolved = call.isConversion || targets.length + externals.length + call.types.length > 0;
    if (site.name === undefined || site.implicit) return;
    // In JavaScript also beside a member that the class may have from outside the project.
    const isOpen = site.unit.rules.functionObjects ? targets.length + call.types.length === 0 : !isResolved;
    const below = isOpen ? methodsBelow(this.#hierarchy, site) : [];
    this.#callOneOf(builder, site, below);
    if (isResolved) {
      if (lacksFunctions(callee)) builder.unresolved({ source, name: site.name, kind: 'calls', line });
      return;
    }
    if (below.length > 0) return;
    const inherited = inheritedExternal(this.#engine, site);
    const id = hasUnknownReceiver(this.#engine, site) ? this.#uniqueNames.find(site.name) : undefined;
    if (inherited) builder.external({ source, ...inherited, kind: 'calls', line });
    else if (id !== undefined) this.#callByName(builder, site, id);
    else builder.unresolved({ source, name: site.name, kind: 'calls', line });
  }

  /** Calls of functions of which one runs. */
  #callOneOf(builder: GraphBuilder, { source, line }: Position, functions: readonly Func[], most = 1): void {
    const confidence = Math.min(functions.length === 1 ? 1 : ONE_OF_OVERRIDERS, most);
    for (const each of functions) {
      const id = this.#symbols.idOf(each);
      if (id !== undefined) builder.edge(source, id, 'calls', line, 'hierarchy', confidence);
    }
  }

  /** A call of a member by its name alone, and of what overrides this: functions in object literals have no name of their own. */
  #callByName(builder: GraphBuilder, { source, line }: Position, id: string): void {
    builder.edge(source, id, 'calls', line, 'unique_name');
    const [unit] = this.#engine.project.unitsOf([id.split('#', 1)[0] ?? id]);
    const member = unit?.functions.find((each) => this.#symbols.idOf(each) === id);
    for (const each of member ? this.#hierarchy.overridersOf(member) : []) {
      const overrider = this.#symbols.idOf(each);
      // A function of that name passes the call on, to another object than its own.
      if (overrider !== undefined && overrider !== builder.idOf(source))
        builder.edge(source, overrider, 'calls', line, 'hierarchy', CONFIDENCE.unique_name);
    }
  }

  #overriders(builder: GraphBuilder, { site }: CallResult, target: Func | Class, evidence: Evidence): void {
    if (!evidence.open || target.kind !== 'function') return;
    const overriders = this.#hierarchy.overridersFor(target, receiversOf(this.#engine, site));
    // Any of them may be called, so that none of them is certain to be unused.
    if (this.#hierarchy.tooMany.has(target) && target.name !== undefined && !site.implicit)
      builder.unresolved({ source: site.source, name: target.name, kind: 'calls', line: site.line });
    this.#callOneOf(builder, site, eachBuiltWith(this.#engine, overriders, site.unit), chanceOf(evidence));
  }
}
