import { Node } from '../node.js';
import type { CallSite } from '../instructions.js';
import type { Class, Func } from '../declarations.js';
import type { Reason } from '../../model.js';
import { functionOf, type External, type Instance, type Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { orderedFields } from './ordered-fields.js';
import { accepts } from './overloads.js';
import { callProtocol } from './protocol.js';
import { isGeneric } from './types.js';

/** Makes the objects of calls of classes. */
export class Construction {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Links a call to the constructors of a class; to the class itself where it has none. */
  construct(call: CallResult, container: Class, reason: Reason): void {
    const { solver, classes, environments, values, builtins, types } = this.#engine;
    const { site } = call;
    const args = container.generics.map((generic, index) => {
      const written = site.types[index];
      return written ? types.node(written, site.scope) : call.inferredNode(generic);
    });
    if (site.unit.rules.callConverts && !site.constructs) {
      this.#convert(call, values.instance(container, args, false, isGeneric(site.scope)));
      return;
    }
    const made = values.instance(container, args, true, isGeneric(site.scope));
    solver.add(site.result, made);
    if (container.code.form === 'enum' && container.unit.rules.enumsIterate) {
      // It looks up one of the objects that the class has made of its members.
      call.target(container, { reason, open: false });
      return;
    }
    if (builtins.isBuiltin(container)) {
      if (call.externals.length === 0) call.addExternal(values.external('', container.name ?? ''));
      const constructors = classes.constructorsOf(container);
      const args = this.#engine.keyedCalls.construction(call, container);
      if (args !== site.arguments)
        for (const each of constructors) this.#engine.linking.pass(call, each, made, args);
      else if (constructors.length > 0)
        this.#engine.linking.link(call, constructors, made, { reason, open: false });
      return;
    }
    const declared = classes.constructorsOf(container);
    const constructors = isDefault(container, declared, site) ? [] : declared;
    if (constructors.length > 0) this.#engine.linking.link(call, constructors, made, { reason, open: false });
    const isOwn =
      this.#linkField(call, container, made) ||
      this.#linkMaker(call, container, reason) ||
      constructors.some(({ owner }) => !owner || !builtins.isBuiltin(owner));
    if (!isOwn && !site.fields) call.target(container, { reason, open: false });
    const makers = [this.maker(container), ...constructors];
    if (isOwn && !makers.some((each) => each?.owner === container)) call.addType({ type: container, reason });
    if (constructors.length === 0 && site.unit.rules.fieldsInOrder) this.#fillFields(site, container, made);
    const fields = isOwn && constructors.length > 0 ? [] : orderedFields(this.#engine, container);
    const { afterFields } = container.unit.rules;
    if (fields.length > 0) callProtocol(this.#engine, made, afterFields, site, new Node());
    this.#runFactories(site, container, made, fields);
    const taken = new Set(constructors.flatMap((each) => each.parameters.map((parameter) => parameter.name)));
    for (const [index, { name: written, node, spread }] of site.arguments.entries()) {
      const name = written ?? (spread ? undefined : fields[index]);
      if (name === undefined || !node || (taken.has(name) && !site.unit.rules.fieldsByName)) continue;
      this.#engine.members.store(made, name, node);
      const field = classes.member(container, name, 'instance')?.variable;
      if (field?.type)
        this.#engine.infer.match(field.type, field.scope, node, environments.find(made, container));
    }
  }

  /** A constructor that a field holds: `__init__ = prepare`. False where the class has none. */
  #linkField(call: CallResult, container: Class, made: Instance): boolean {
    const { classes, solver, linking, builtins } = this.#engine;
    const { bindsFunctions, constructors: [name = ''] = [] } = container.unit.rules;
    const found = bindsFunctions ? classes.member(container, name, 'static') : null;
    if (!found || found.variable.declarations || builtins.isBuiltin(found.owner)) return false;
    solver.watch(found.variable.node, (value) => {
      if (value.kind === 'function') linking.link(call, [value], made, { reason: 'flow', open: false });
    });
    return true;
  }

  /** The function that makes objects of a class: `__new__`. */
  maker(container: Class): Func | undefined {
    const { maker } = container.unit.rules;
    if (maker === undefined) return undefined;
    const found = this.#engine.classes.member(container, maker, 'static')?.variable.declarations;
    const func = found?.findLast((each) => each.kind === 'function');
    return func?.kind === 'function' ? func : undefined;
  }

  /** `str.__new__(cls, text)` of a class outside the project: an object of the class that it is given. False for other functions. */
  makeGiven({ site }: CallResult, { name }: External): boolean {
    const { maker, creation } = site.unit.rules;
    const [given] = site.arguments;
    if (maker === undefined || !given?.node || given.spread || !name.endsWith(`.${maker}`)) return false;
    if (name === `${creation?.root ?? ''}.${maker}`) return false;
    const { solver, values, classes } = this.#engine;
    solver.watch(given.node, (value) => {
      if (value.kind === 'class')
        solver.add(site.result, values.instance(classes.canonical(value), [], true));
    });
    return true;
  }

  /** `__new__` runs before `__init__`, and may make an object of another class. */
  #linkMaker(call: CallResult, container: Class, reason: Reason): boolean {
    const { solver, types } = this.#engine;
    const func = this.maker(container);
    if (!func) return false;
    this.#engine.linking.link(call, [func], container, { reason, open: false });
    solver.watch(types.result(func), (value) => {
      if (value.kind === 'instance' && value.class !== container) solver.add(call.site.result, value);
    });
    return true;
  }

  /** Fields that the arguments leave out get what their functions give. */
  #runFactories(site: CallSite, container: Class, made: Value, fields: readonly string[]): void {
    const { classes, calls, members } = this.#engine;
    const given = new Set(site.arguments.map(({ name }, index) => name ?? fields[index]));
    for (const { class: ancestor } of classes.ancestors(container))
      for (const { field, node } of ancestor.factories ?? []) {
        if (given.has(field)) continue;
        const result = new Node();
        const callee = { kind: 'value', node } as const;
        calls.add({ ...site, name: undefined, callee, arguments: [], implicit: true, types: [], result });
        members.store(made, field, result);
      }
  }

  /** Values without names go to fields in their order. */
  #fillFields(site: CallSite, container: Class, made: Value): void {
    const fields = [...container.instanceMembers.values()].filter((each) => !each.declarations);
    for (const [index, { name, node }] of site.arguments.entries()) {
      const field = fields[index];
      if (name !== undefined || !node || !field) continue;
      const value = new Node();
      // A copy of an object is not a value of its first field.
      this.#engine.solver.watch(node, (each) => {
        if (each.kind !== 'instance' || each.class !== container) this.#engine.solver.add(value, each);
      });
      this.#engine.members.store(made, field.name, value);
    }
  }

  /** A function that is converted is what calling an object of the type calls. */
  #convert(call: CallResult, made: Instance): void {
    const { solver, members } = this.#engine;
    const { site } = call;
    call.addType({ type: made.class, reason: 'scope' });
    solver.add(site.result, made);
    const { callMember } = site.unit.rules;
    const from = site.arguments[0]?.node;
    if (callMember === undefined || !from) return;
    const functions = new Node();
    members.store(made, callMember, functions);
    solver.watch(from, (value) => {
      if (functionOf(value)) solver.add(functions, value);
    });
  }
}

/** `new S()` of a struct whose constructors all take arguments. */
function isDefault({ unit, code: { form } }: Class, constructors: readonly Func[], site: CallSite): boolean {
  if (!unit.rules.defaultStructs || form !== 'struct' || site.arguments.length > 0) return false;
  return !constructors.some((each) => accepts(each, site, true));
}
