import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import type { CallSite } from '../instructions.js';
import { Class, instanceMember, type Func } from '../declarations.js';
import { Scope, type Unit, type Variable } from '../program.js';
import { compileValue, declareGenerics } from './functions.js';
import { memberKey, methodKey } from './keys.js';
import { pathOf } from './name-chains.js';
import type { Place, Walker } from './walker.js';

/** Compiles a class with its members. */
export function compileClass(walker: Walker, code: code.ClassCode, place: Place): Class {
  const { unit } = walker;
  const outer = new Scope('block', place.scope, unit);
  const { members, ...rest } = code;
  const source = code.symbol === undefined ? place.source : code.symbol + 1;
  const container = new Class(rest, unit, new Scope('class', outer, unit), place.source, source);
  declareGenerics(code.types ?? [], outer, container.generics);
  unit.classes.push(container);
  const inside = insideOf(container, place);
  for (const { value, ...supertype } of code.supertypes ?? []) {
    const { type } = supertype;
    const node = value && walker.expression(value, place);
    const call = value?.kind === 'call' ? value : undefined;
    // A module that is mixed in is named inside of the class, which may declare it.
    const isInside = unit.rules.runsClassBodies && supertype.relation === 'mixes';
    container.supertypes.push({ ...supertype, value: node, call, scope: isInside ? container.scope : outer });
    // The name itself is an edge of its own kind; its arguments are uses.
    if (type.kind === 'named') for (const each of type.arguments ?? []) walker.useType(each, inside);
  }
  for (const each of code.types ?? []) for (const bound of each.bounds ?? []) walker.useType(bound, inside);
  compileMembers(walker, container, members, inside);
  return container;
}

/** The place of the members of a class, which stands at another. */
export function insideOf({ scope, source, thisNode }: Class, place: Place): Place {
  return { ...place, scope, source, thisNode };
}

export function compileMembers(
  walker: Walker,
  container: Class,
  members: readonly code.Statement[],
  inside: Place,
): void {
  for (const member of members) compileMember(walker, container, member, inside);
  // What nested statements declare: classes, functions below a condition.
  for (const [name, variable] of walker.unit.rules.isPrivateName ? [...container.scope.names] : []) {
    const key = memberKey(name, container.scope);
    if (key !== name) container.scope.adopt(variable, key);
  }
}

function compileMember(walker: Walker, container: Class, member: code.Statement, place: Place): void {
  if (member.kind === 'declare') compileField(walker, container, member, place);
  else if (member.kind === 'function') compileMethod(walker, container, member.function, place);
  else walker.statements([member], place);
}

function compileField(walker: Walker, container: Class, field: code.Declare, place: Place): void {
  const isStatic = field.static || container.code.form === 'namespace' || container.code.form === 'enum';
  const key = memberKey(field.name, place.scope);
  const { value } = field;
  // `a = a` in a class reads the variable around it.
  const isOuter = value?.kind === 'name' && value.name === field.name && !container.scope.names.has(key);
  const outer = isOuter && walker.unit.rules.bindsFunctions ? walker.expression(value, place) : undefined;
  const variable = isStatic ? container.scope.declare(key) : instanceMember(container, key);
  variable.symbol ??= field.symbol;
  variable.type ??= field.type;
  variable.internal ??= field.internal;
  variable.prototype ??= field.prototype;
  if (isStatic && walker.unit.rules.bindsFunctions) variable.binds = 'object';
  if (field.embedded) container.embedded.push(variable);
  // The members of an enumeration are objects of it, whatever they are made from.
  if (container.code.form === 'enum' && field.value && !field.type) walker.expression(field.value, place);
  else if (outer) walker.write(variable, outer, place);
  else declareVariable(walker, variable, field, place);
  noteFactory(walker.unit, container, field);
}

/** `field: list = field(default_factory=list)` */
function noteFactory({ instructions, rules }: Unit, container: Class, { name, value }: code.Declare): void {
  const last =
    value?.kind === 'call' && rules.fieldFactories
      ? instructions.findLast(({ kind }) => kind === 'call')
      : undefined;
  if (last?.kind !== 'call') return;
  const factory = last.arguments.find(({ name: key = '' }) => rules.fieldFactories?.includes(key));
  if (factory?.node) (container.factories ??= []).push({ field: name, node: factory.node });
}

/** Type and initial value of a declared variable. */
export function declareVariable(walker: Walker, variable: Variable, code: code.Declare, place: Place): void {
  let value: Node | undefined;
  const { rules } = walker.unit;
  // In languages with declared types the value of a variable is never a type.
  if (rules.flow === 'ordered' || code.alias)
    variable.alias =
      variable.versions || variable.declarations ? undefined : code.value && pathOf(code.value);
  if (code.value?.kind === 'call' && rules.functionObjects && place.scope.kind === 'file')
    variable.initial = makesClass(code.value) ? code.value : undefined;
  if (code.value?.kind === 'function' || code.value?.kind === 'class') {
    const options = code.symbol === undefined ? {} : { symbol: code.symbol };
    const made = compileValue(walker, code.value, place, options);
    variable.addDeclaration(made);
    value = walker.unit.hold(made);
  } else if (code.value) value = walker.expression(code.value, place);
  if (code.type) {
    walker.useType(code.type, place);
    const { unit } = walker;
    unit.instructions.push({
      kind: 'typed',
      scope: place.scope,
      type: code.type,
      node: variable.node,
      value,
    });
  }
  if (value) walker.write(variable, value, place);
}

/** True for a call that may make a class from another: it is given a name or such a call. */
function makesClass({ callee, arguments: [first] }: code.Call): boolean {
  const given = first?.value.kind;
  return (
    (callee.kind === 'name' || callee.kind === 'member') &&
    (given === 'name' || given === 'call' || given === 'member')
  );
}

function compileMethod(walker: Walker, container: Class, code: code.FunctionCode, place: Place): void {
  // A namespace holds definitions of members of its classes, which are not names of its own.
  if (code.owner) {
    walker.function(code, place);
    return;
  }
  const func = walker.function(code, place, { owner: container });
  if (code.name === undefined) return;
  const isStatic = code.static || container.code.form === 'namespace';
  const key = memberKey(methodKey(code.name, walker.unit.rules), place.scope);
  const variable =
    overloadedMember(container, key, isStatic) ??
    (isStatic ? container.scope.declare(key) : instanceMember(container, key));
  if (code.decorators && walker.unit.rules.bindsFunctions && code.receiver)
    variable.binds = code.static ? 'class' : 'object';
  declareFunction(walker, variable, func, place);
}

/** Static functions of C++ are overloads of those of objects: one name that both sides have. */
function overloadedMember(container: Class, key: string, isStatic: boolean): Variable | undefined {
  const { instanceMembers, scope } = container;
  if (!scope.unit.rules.prototypes) return undefined;
  const other = isStatic ? instanceMembers.get(key) : scope.names.get(key);
  if (!other?.declarations?.every(({ kind }) => kind === 'function')) return undefined;
  if (isStatic) scope.adopt(other, key);
  else instanceMembers.set(key, other);
  return other;
}

/** Binds a function, after its decorators, to its name. */
export function declareFunction(walker: Walker, variable: Variable, func: Func, place: Place): void {
  const { decorators } = func.code;
  const annotated = walker.unit.rules.decorators === 'annotations';
  variable.symbol ??= func.symbol;
  variable.internal ??= func.code.internal;
  if (annotated) annotate(walker, decorators, func, place);
  else if (decorators && decorators.length > 0) {
    walker.write(variable, walker.decorate(func, decorators, place), place);
    return;
  }
  variable.addDeclaration(func);
  // Overloads are found through the first of them.
  if (walker.unit.rules.overloads && func.overloads?.[0] !== func) return;
  walker.write(variable, walker.unit.hold(func), place);
}

/** Annotations name types and change nothing. */
function annotate(
  walker: Walker,
  annotations: readonly code.Expression[] = [],
  { symbol }: Func | Class,
  place: Place,
): void {
  const inside = symbol === undefined ? place : { ...place, source: symbol + 1 };
  for (const each of annotations) walker.expression(each, inside);
}

/** The result of applying decorators, the last one first. */
export function decorated(
  walker: Walker,
  value: Func | Class,
  decorators: readonly code.Expression[],
  place: Place,
): Node {
  let node = walker.unit.hold(value);
  if (walker.unit.rules.decorators === 'annotations') {
    annotate(walker, decorators, value, place);
    return node;
  }
  for (const decorator of decorators.toReversed()) {
    const callee = walker.expression(decorator, place);
    const to = new Node();
    const line = lineOf(decorator) ?? value.code.line;
    const call: CallSite = {
      kind: 'call',
      unit: walker.unit,
      scope: place.scope,
      source: place.source,
      line,
      name: nameOf(decorator),
      callee: { kind: 'value', node: callee },
      arguments: [{ name: undefined, node, spread: undefined }],
      constructs: false,
      implicit: false,
      types: [],
      result: new Node(),
    };
    walker.unit.instructions.push({ kind: 'decorated', call, from: node, to });
    node = to;
  }
  return node;
}

function lineOf(expression: code.Expression): number | undefined {
  return 'line' in expression ? expression.line : undefined;
}

/** The last name of what an expression calls; in brackets that of the key of an element. */
export function nameOf(expression: code.Expression): string | undefined {
  // A variable that hides another name has a number.
  if (expression.kind === 'name') return expression.name.replace(/~\d+$/, '');
  if (expression.kind === 'member') return expression.name;
  if (expression.kind === 'index') return `[${keyName(expression.key)}]`;
  return expression.kind === 'call' ? nameOf(expression.callee) : undefined;
}

function keyName(key: code.Expression | undefined): string {
  return (key?.kind === 'literal' ? key.text : key && nameOf(key)) ?? '';
}
