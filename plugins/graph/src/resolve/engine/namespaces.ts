import type { CallSite, Origin } from '../instructions.js';
import type { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { External, ModuleValue, Namespace, Value } from '../values.js';
import type { CallResult } from './call-result.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';

/** `sys.modules[__name__]` is the module around it. */
const OWN_NAME = '__name__';

/** Dictionaries of members: `vars(a)`, `a.__dict__`, `globals()`, `sys.modules`. */
export class Namespaces {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Gives the dictionary that a builtin function is called for. False for other functions. */
  give(site: CallSite, called: External): boolean {
    const { unit, result } = site;
    const [object] = site.arguments;
    const { solver, values } = this.#engine;
    const { module, name } = called;
    const { memberDictionaries: names } = unit.rules;
    if (names?.loader === `${module}.${name}`) return this.#load(site, called);
    if (!names || module !== '') return false;
    const isModule = name === names.module;
    if (isModule) solver.add(result, values.namespace(values.module([unit])));
    else if (name !== names.of || !object?.node) return false;
    else solver.watch(object.node, (value) => solver.add(result, values.namespace(value)));
    return true;
  }

  /** Loads the modules of the names that are known; what others give is outside the project. */
  #load({ unit, arguments: [named, ...others], result }: CallSite, called: External): boolean {
    const { solver, undecided } = this.#engine;
    // A package that the name is relative to.
    if (!named?.node || others.length > 0) return false;
    undecided.withKey(named.node, (key) => {
      const module = key?.startsWith("'") ? this.#moduleOf(key.slice(1), unit) : undefined;
      solver.add(result, module ?? called);
    });
    return true;
  }

  #moduleOf(name: string, from: Unit): ModuleValue | undefined {
    const { project, values } = this.#engine;
    if (name === OWN_NAME) return values.module([from]);
    const target = project.find({ module: name, form: 'namespace' }, from);
    const units = target.kind === 'files' ? project.unitsOf(target.paths) : [];
    return units.length > 0 ? values.module(units) : undefined;
  }

  /** Reads the element of a key. False for a value that is not such a dictionary. */
  load(value: Value, key: string | undefined, origin: Origin, to: Node): boolean {
    const { solver, members } = this.#engine;
    const name = key?.startsWith("'") ? key.slice(1) : undefined;
    if (value.kind === 'external') {
      const { memberDictionaries } = origin.unit.rules;
      if (memberDictionaries?.modules !== `${value.module}.${value.name}` || name === undefined) return false;
      const module = this.#moduleOf(name, origin.unit);
      if (module) solver.add(to, module);
      return module !== undefined;
    }
    if (value.kind !== 'namespace') return false;
    if (name === undefined) return true;
    const access = { name, isSuper: false, scope: origin.scope, reads: true } as const;
    for (const hit of members.find(value.of, access)) flowHit(this.#engine, hit, to, origin);
    return true;
  }

  store({ of }: Namespace, key: string | undefined, from: Node, origin: Origin): void {
    if (key?.startsWith("'")) this.#engine.members.store(of, key.slice(1), from, origin);
  }

  /** Links a call of a method of such a dictionary to that of a dictionary. */
  call(call: CallResult, namespace: Namespace, name: string): void {
    const { solver, values, undecided } = this.#engine;
    const { site } = call;
    const { literals, keyedCalls = {} } = site.unit.rules;
    const method = `${literals?.object ?? ''}.${name}`;
    call.addExternal(values.external('', method));
    const rule = Object.hasOwn(keyedCalls, method) ? keyedCalls[method] : undefined;
    const [first, other] = site.arguments;
    if (rule === 'read' && first?.node) {
      undecided.withKey(first.node, (key) => this.load(namespace, key, site, site.result));
      if (other?.node) solver.copy(other.node, site.result);
    } else if (rule === 'include')
      for (const { name: named, node, spread } of site.arguments) {
        if (!node) continue;
        if (named !== undefined) this.store(namespace, `'${named}`, node, site);
        else if (spread !== 'list')
          solver.watch(node, (value) => {
            if (value.kind !== 'instance' || !value.site) return;
            for (const [key, each] of value.site.named()) this.store(namespace, key, each, site);
          });
      }
  }
}
