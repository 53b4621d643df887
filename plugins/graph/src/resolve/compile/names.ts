import type { Class, Func } from '../declarations.js';
import { Node } from '../node.js';
import { FreeName, type Binding, type Scope, type Variable } from '../program.js';

/** The target of a bare name in a scope. */
export function lookUp(name: string, from: Scope): Binding {
  const { bareNames, ownMethods } = from.unit.rules;
  const membersFirst = bareNames === 'members';
  const classes: Array<Class | Func> = [];
  let crossed = false;
  let lexical: Variable | undefined;
  let home = from.unit.scope;
  let method: Func | undefined;
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    const container = scope.class;
    if (container) {
      const isNamespace = container.code.form === 'namespace';
      const visible = isNamespace || (!crossed && !membersFirst);
      lexical = visible ? (container.instanceMembers.get(name) ?? scope.names.get(name)) : undefined;
      if (!lexical && (membersFirst || isNamespace)) {
        if (classes.length === 0) home = scope;
        classes.push(container);
      }
    } else lexical = scope.names.get(name);
    if (lexical) break;
    if (scope.kind === 'function') {
      crossed = true;
      if (scope.function?.owner) method ??= scope.function;
      if (membersFirst && scope.function?.code.owner) {
        if (classes.length === 0) home = scope;
        classes.push(scope.function);
      }
    }
  }
  if (lexical && classes.length === 0) return lexical;
  const isStatic = ownMethods === true && (method === undefined || method.code.static === true);
  const key = isStatic ? `static ${name}` : name;
  const known = home.free?.get(key);
  if (known) return known;
  const free = new FreeName(name, home, classes, lexical, isStatic);
  (home.free ??= new Map()).set(key, free);
  from.unit.names.push(free);
  return free;
}

/** The scope in which a plain assignment declares a new name. */
export function functionScope(from: Scope): Scope {
  let scope = from;
  while (scope.kind === 'block' && scope.parent) scope = scope.parent;
  return scope;
}

/** The list of the arguments of the function around, where a name means that. */
export function argumentsNamed(name: string, from: Scope): Node | undefined {
  if (name !== from.unit.rules.argumentsName) return undefined;
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    if (scope.names.has(name)) return undefined;
    const func = scope.kind === 'function' ? scope.function : undefined;
    if (func && !func.code.arrow) return (func.whole ??= new Node());
  }
  return undefined;
}
