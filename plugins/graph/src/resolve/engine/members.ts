import { plainName } from '../compile/keys.js';
import type { Origin } from '../instructions.js';
import { Node } from '../node.js';
import type { Class } from '../declarations.js';
import type { Target, Variable } from '../program.js';
import type { External, Instance, Value } from '../values.js';
import { moduleMembers } from './alternatives.js';
import type { FoundMember } from './class-table.js';
import type { Engine } from './engine.js';
import { FieldNodes } from './field-nodes.js';
import type { Hit } from './hit.js';
import { afterOf, isOwnObject, type Access } from './member-access.js';
import { nullableOf } from './nullable.js';
import { metaclassMember } from './metaclass-members.js';
import { missingMember } from './missing-members.js';
import { storeMember } from './store-member.js';
import { builtWith } from './build-variants.js';
import { NamedFunctions } from './named-functions.js';

/** Finds members of values. */
export class Members {
  readonly #engine: Engine;
  readonly #fields = new FieldNodes();
  readonly #named = new NamedFunctions();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  find(value: Value, access: Access): readonly Hit[] {
    if (access.name === access.scope.unit.rules.memberDictionaries?.member && isOwnObject(value))
      return [{ kind: 'value', value: this.#engine.values.namespace(value) }];
    switch (value.kind) {
      case 'instance':
        return this.#ofInstance(value, access);
      case 'class': {
        const prototype = this.#engine.functionObjects.prototype(value, access.name);
        if (prototype) return [{ kind: 'value', value: prototype }];
        return this.#ofClass(this.#engine.classes.canonical(value), access);
      }
      case 'self':
        return this.#ofInstance(this.#engine.values.instance(value.class, [], false), access);
      case 'super': {
        const above = { ...access, isSuper: true, after: value.after };
        return value.object.kind === 'class'
          ? this.#ofClass(value.object, above)
          : this.#ofInstance(value.object, above);
      }
      case 'module':
        return moduleMembers(this.#engine, value, access.name);
      case 'external':
        return (
          this.#ofGlobals(value, access) ??
          this.#ofBuiltin(value, access) ??
          this.#ofTopAs(value, access) ?? [
            { kind: 'value', value: this.#engine.values.member(value, plainName(access.name)) },
          ]
        );
      case 'parameter':
        return this.#ofBounds(value, access);
      case 'function': {
        if (access.name === access.scope.unit.rules.callMember) return [{ kind: 'value', value }];
        const prototype = this.#engine.functionObjects.prototype(value, access.name);
        if (prototype) return [{ kind: 'value', value: prototype }];
        const registrar = this.#engine.dispatch.registrar(value, access.name);
        if (registrar) return [{ kind: 'value', value: registrar }];
        return [
          { kind: 'node', node: this.#fields.of(value, access.name), variable: undefined, inModule: false },
        ];
      }
      case 'bound':
        return access.name === access.scope.unit.rules.callMember ? [{ kind: 'value', value }] : [];
      case 'namespace':
      case 'partial':
      case 'registrar':
      case 'conversion':
      case 'signature':
        return [];
    }
  }

  ofTarget(target: Target | null): readonly Hit[] {
    const { values, solver } = this.#engine;
    if (!target) return [];
    switch (target.kind) {
      case 'variable':
        return [{ kind: 'node', node: target.variable.node, variable: target.variable, inModule: true }];
      case 'module':
        return [{ kind: 'value', value: values.module(target.units) }];
      case 'external':
        return [{ kind: 'value', value: values.external(target.module, target.name) }];
      case 'assigned': {
        const { assigned } = target.unit;
        if (!assigned) return [];
        if (target.name === undefined)
          return [{ kind: 'node', node: assigned, variable: undefined, inModule: true }];
        const access = { name: target.name, isSuper: false, scope: target.unit.scope };
        // What is assigned may be the module itself.
        const node = this.#fields.of(target.unit, target.name, (made) => {
          solver.watch(assigned, (value) => {
            for (const hit of this.find(value, access)) this.#into(hit, made);
          });
        });
        return [{ kind: 'node', node, variable: undefined, inModule: true }];
      }
    }
  }

  #into(hit: Hit, to: Node): void {
    const { solver, values } = this.#engine;
    if (hit.kind === 'value') solver.add(to, hit.value);
    else if (hit.kind === 'node') solver.copy(hit.node, to);
    else if (hit.kind === 'method')
      for (const each of hit.functions) solver.add(to, values.bound(each, hit.receiver));
  }

  /** A bound from outside the project may have any member, unless another bound declares it. */
  #ofBounds(value: Extract<Value, { kind: 'parameter' }>, access: Access): readonly Hit[] {
    const hits = value.allBounds.flatMap(({ type, scope }) =>
      (this.#engine.types.node(type, scope).values ?? [])
        .filter((each) => each !== value && each.kind !== 'parameter')
        .flatMap((each) => this.find(each, access)),
    );
    const declared = hits.filter((hit) => hit.kind !== 'value' || hit.value.kind !== 'external');
    return declared.length > 0 ? declared : hits;
  }

  #ofInstance(instance: Instance, access: Access): readonly Hit[] {
    const { classes, environments, substitution } = this.#engine;
    const { name } = access;
    if (name === access.scope.unit.rules.classMember) return [{ kind: 'value', value: instance.class }];
    if (instance.site && instance.class.unit.rules.recordLiterals) {
      const getter = instance.site.accessor(name, 'get');
      if (getter) return [{ kind: 'accessor', function: getter, receiver: instance }];
      if (instance.site.names(name) || !classes.member(instance.class, name, 'instance')) {
        const node = instance.site.readMember(name, new Node());
        return [{ kind: 'node', node, variable: undefined, inModule: false }];
      }
    }
    const after = afterOf(this.#engine, access);
    const found = classes.member(instance.class, name, 'instance', after);
    if (!found) return this.#missing(instance, instance.class, access);
    const environment = environments.find(instance, found.owner);
    const hits = this.#ofVariable(found.variable, instance, found, access, (node) =>
      substitution.of(node, environment),
    );
    return this.#withOverloads(hits, instance.class, name, after);
  }

  #ofClass(container: Class, access: Access): readonly Hit[] {
    const after = afterOf(this.#engine, access);
    const side = access.isBare ? 'static' : 'class';
    const found = this.#engine.classes.member(container, access.name, side, after);
    if (!found) {
      const ofMetaclass = metaclassMember(this.#engine, container, access, (each) =>
        this.#ofVariable(each.variable, container, each, access, (node) => node),
      );
      return ofMetaclass ?? this.#missing(container, container, access);
    }
    const hits = this.#ofVariable(found.variable, container, found, access, (node) => node);
    return this.#withOverloads(hits, container, access.name, after);
  }

  /** Supertypes may have more functions of the name, and static ones may stand beside those of objects. */
  #withOverloads(
    hits: readonly Hit[],
    container: Class,
    name: string,
    after: Class | undefined,
  ): readonly Hit[] {
    const { classes, builtins } = this.#engine;
    if (!container.unit.rules.inheritsOverloads) return hits;
    const ancestors = classes.ancestors(container).map((each) => each.class);
    const all = ancestors.slice(after ? ancestors.indexOf(after) + 1 : 0);
    return hits.map((hit) => {
      if (hit.kind !== 'method') return hit;
      // Builtin types have few of their members: those of the project come first.
      const own = all.filter((each) => builtins.isBuiltin(each) === builtins.isBuiltin(hit.owner));
      return { ...hit, functions: this.#named.overloads(container, own, name) };
    });
  }

  #ofVariable(
    variable: Variable,
    receiver: Value,
    { owner }: FoundMember,
    { reads, scope }: Access,
    substitute: (node: Node) => Node,
  ): readonly Hit[] {
    const { functionalInterfaces, methodNames } = variable.scope.unit.rules;
    const { functions, getter } = this.#named.functions(variable);
    if (getter) return [{ kind: 'accessor', function: getter, receiver }];
    // A field that holds a function is an object of its functional interface.
    const isField = variable.type && (functionalInterfaces || (reads && methodNames === 'called'));
    const { descriptors } = this.#engine;
    const isInstance = receiver.kind === 'instance';
    if (functions.length > 0 && !isField) {
      const built = builtWith(this.#engine, functions, scope.unit);
      const method: Hit = { kind: 'method', functions: built, receiver, owner };
      if (!descriptors.isAssigned(variable)) return [method];
      // Functions that were assigned later, to the class or to an object.
      const rest = { kind: 'node', variable: undefined, inModule: false } as const;
      const patched: Hit = {
        ...rest,
        node: this.#fields.patched(variable),
        receiver: isInstance ? receiver : undefined,
      };
      return isInstance
        ? [method, patched, { ...rest, node: this.#fields.storedIn(variable) }]
        : [method, patched];
    }
    const hit = { kind: 'node', node: substitute(variable.node), variable, inModule: false } as const;
    const object = descriptors.mayHold(variable) ? receiver : undefined;
    if (!variable.binds) {
      if (!object) return [hit];
      const stored = isInstance ? this.#fields.storedIn(variable) : undefined;
      return [{ ...hit, object }, ...(stored ? [{ ...hit, node: stored }] : [])];
    }
    const bearer = isInstance || variable.binds === 'class' ? receiver : undefined;
    const bound = { ...hit, object, receiver: bearer };
    return isInstance ? [bound, { ...hit, node: this.#fields.storedIn(variable) }] : [bound];
  }

  /** `window.a` is the global variable `a`. */
  #ofGlobals({ module, name }: External, access: Access): readonly Hit[] | undefined {
    const { unit } = access.scope;
    if (module !== '' || !unit.rules.globalObjects?.has(name)) return undefined;
    const variable = this.#engine.bindings.global(access.name, unit);
    return variable && [{ kind: 'node', node: variable.node, variable, inModule: true }];
  }

  /** A static member of a builtin type that is named by its import: `List.of`. */
  #ofBuiltin(value: External, access: Access): readonly Hit[] | undefined {
    const { rules } = access.scope.unit;
    const builtin = rules.topType === undefined ? undefined : this.#engine.builtins.named(rules, value);
    if (builtin?.kind !== 'class') return undefined;
    return this.#engine.classes.member(builtin, access.name, 'static')
      ? this.#ofClass(builtin, access)
      : undefined;
  }

  /** A member that all objects have. */
  #ofTop(access: Access): readonly Hit[] | undefined {
    const { rules } = access.scope.unit;
    const { classes, builtins, values } = this.#engine;
    const top = rules.topType === undefined ? undefined : builtins.find(rules, rules.topType);
    if (!top || !classes.member(top, access.name, 'instance')) return undefined;
    return this.#ofInstance(values.instance(top, [], false), { ...access, isSuper: false });
  }

  #ofTopAs(receiver: Value, access: Access): readonly Hit[] | undefined {
    return this.#ofTop(access)?.map((hit) => (hit.kind === 'method' ? { ...hit, receiver } : hit));
  }

  /** A name that no class declares. */
  #missing(value: Instance | Class, container: Class, access: Access): readonly Hit[] {
    const nullable = value.kind === 'instance' ? nullableOf(this.#engine, value, access) : undefined;
    if (nullable) return this.#ofInstance(nullable, access);
    const top = this.#ofTopAs(value, access);
    if (top) return top;
    return missingMember(this.#engine, this.#fields, {
      value,
      container,
      access,
      read: (found, substitute) => this.#ofVariable(found.variable, value, found, access, substitute),
      into: (hit, to) => this.#into(hit, to),
    });
  }

  store(value: Value, name: string, from: Node, origin?: Origin): void {
    storeMember(this.#engine, this.#fields, { value, name, from, origin });
  }
}
