import type { code } from '@service-mcp/plugin-syntax/contract';
import { Node } from '../node.js';
import {
  AliasType,
  type Class,
  type Func,
  type GenericParameter,
  ImportBinding,
  type ParameterTest,
} from '../declarations.js';
import { Scope, Variable, type Binding, type Unit } from '../program.js';
import { declareFunction, declareVariable } from './classes.js';
import { compileValue, declareGenerics } from './functions.js';
import { compileNarrowed } from './narrowed.js';
import { compileBranch, leave } from './branches.js';
import { isMethodKey, methodKey } from './keys.js';
import { compileCopy } from './copies.js';
import { compileObject } from './objects.js';
import { functionScope, lookUp } from './names.js';
import { originOf } from './origin.js';
import type { Place, Walker } from './walker.js';

/** Compiles statements in order, after declaring the names that are visible before their statement. */
export function compileStatements(walker: Walker, statements: readonly code.Statement[], place: Place): void {
  const hoists = walker.unit.rules.hoistsFunctions === true;
  declareNames(statements, place, hoists);
  if (hoists)
    for (const each of statements) if (each.kind === 'function') compileStatement(walker, each, place);
  for (const each of statements)
    if (!hoists || each.kind !== 'function') compileStatement(walker, each, place);
}

function declareNames(statements: readonly code.Statement[], place: Place, hoists: boolean): void {
  const scope = functionScope(place.scope);
  for (const each of statements) {
    if (each.kind === 'declare') {
      if (!each.narrows) (each.hoisted ? scope : place.scope).declare(each.name);
    } else if (each.kind === 'function') {
      if (each.function.name !== undefined && !each.function.owner) place.scope.declare(each.function.name);
    } else if (each.kind === 'class') {
      if (each.class.name !== undefined) place.scope.declare(each.class.name);
    } else if (each.kind === 'alias') place.scope.declare(each.name);
    else if (each.kind === 'import') {
      // Parameters of functions that are compiled first may name it in their default values.
      if (hoists && each.local !== undefined && !each.reexport) place.scope.declare(each.local);
    } else if (each.kind === 'block') declareHoisted(each.body, scope);
    else if (each.kind === 'branch') for (const arm of each.arms) declareHoisted(arm, scope);
  }
}

function declareHoisted(statements: readonly code.Statement[], scope: Scope): void {
  for (const each of statements) {
    if (each.kind === 'declare' && each.hoisted) scope.declare(each.name);
    else if (each.kind === 'block') declareHoisted(each.body, scope);
    else if (each.kind === 'branch') for (const arm of each.arms) declareHoisted(arm, scope);
  }
}

function compileStatement(walker: Walker, statement: code.Statement, place: Place): void {
  switch (statement.kind) {
    case 'import':
      compileImport(walker, statement, place);
      return;
    case 'export':
      compileExport(walker, statement, place);
      return;
    case 'declare': {
      if (statement.narrows) {
        compileNarrowed(walker, statement, statement.narrows, place);
        return;
      }
      const variable = (statement.hoisted ? functionScope(place.scope) : place.scope).declare(statement.name);
      variable.symbol ??= statement.symbol;
      variable.type ??= statement.type;
      variable.internal ??= statement.internal;
      variable.prototype ??= statement.prototype;
      declareVariable(walker, variable, statement, place);
      return;
    }
    case 'assign':
      if (compileCopy(walker, statement.target, statement.value, place)) return;
      walker.assign(
        statement.target,
        isRead(statement.target)
          ? compileObject(walker, statement.value, place)
          : walker.expression(statement.value, place),
        place,
        statement.declares === true,
      );
      return;
    case 'each':
      compileEach(walker, statement, place);
      return;
    case 'evaluate':
      compileObject(walker, statement.value, place);
      return;
    case 'return': {
      // Each of several values may be an argument.
      const { value } = statement;
      for (const part of value.kind === 'choice' ? value.of : [value]) {
        const node = walker.expression(part, place);
        if (!node || !place.function) continue;
        const tests = statement.where ? testsOf(walker, statement.where, place.function, place) : [];
        walker.parameters.give(place.function, node, tests);
      }
      leave('return', place);
      if (!place.function) return;
      place.function.returnedClass ??= classIn(walker.unit, statement.value, place);
      return;
    }
    case 'function': {
      const func = walker.function(statement.function, place);
      const { name } = statement.function;
      if (name === undefined || statement.function.owner) return;
      declareFunction(walker, place.scope.declare(name), func, place);
      return;
    }
    case 'class':
      compileClassStatement(walker, statement.class, place);
      return;
    case 'alias':
      compileAlias(walker, statement, place);
      return;
    case 'implement':
      compileImplement(walker, statement, place);
      return;
    case 'block': {
      const scope = new Scope('block', place.scope, walker.unit);
      scope.narrows = statement.narrows === true;
      walker.statements(statement.body, { ...place, scope });
      return;
    }
    case 'branch':
      compileBranch(walker, statement, place);
      return;
    case 'leave':
      leave(statement.by, place);
      return;
    case 'outer': {
      const scope = functionScope(place.scope);
      for (const name of statement.names) {
        const found = statement.scope === 'file' ? undefined : scope.parent && lookUp(name, scope.parent);
        const variable = found && !('kind' in found) ? found : walker.unit.scope.declare(name);
        (scope.outer ??= new Map()).set(name, variable);
      }
    }
  }
}

/** What conditions tell of parameters that have the values of the call. */
function testsOf(
  walker: Walker,
  where: readonly code.Tested[],
  { parameters }: Func,
  place: Place,
): ParameterTest[] {
  return where.flatMap(({ name, test, holds }) => {
    const parameter = parameters.find((each) => each.name === name && !each.rest && each.state);
    const binding = parameter && lookUp(name, place.scope);
    const isFirst = binding && !('kind' in binding) && place.flow.readWide(binding) === parameter.state;
    return parameter && isFirst ? [{ parameter, test, holds }] : [];
  });
}

/** The class that an expression is. */
function classIn(unit: Unit, value: code.Expression, place: Place): Class | undefined {
  if (value.kind === 'cast') return classIn(unit, value.value, place);
  if (value.kind === 'class') return unit.classes.findLast(({ code }) => code.start === value.class.start);
  const binding = value.kind === 'name' ? lookUp(value.name, place.scope) : undefined;
  const isElsewhere = binding && !('kind' in binding) && binding.scope.kind === 'file';
  if (!binding || 'kind' in binding || (isElsewhere && !unit.rules.bindsFunctions)) return undefined;
  const declared = binding.declarations?.find((each) => each.kind === 'class');
  return declared?.kind === 'class' ? declared : undefined;
}

function compileImport(walker: Walker, statement: code.Import, place: Place): void {
  const { unit } = walker;
  const { local } = statement;
  const { methodNames } = unit.rules;
  if (methodNames === 'separate' && statement.static && local !== undefined && !isMethodKey(local)) {
    const key = methodKey(local, unit.rules);
    compileImport(walker, { ...statement, name: key, local: key }, place);
  }
  const variable = local === undefined || statement.reexport ? undefined : place.scope.declare(local);
  const binding = new ImportBinding(statement, place.scope, place.source, variable);
  unit.imports.push(binding);
  if (variable) {
    variable.addDeclaration(binding);
    const node = new Node();
    binding.node = node;
    walker.write(variable, node, place);
  }
  if (statement.reexport && statement.form !== 'wildcard') {
    const name = local ?? statement.name;
    if (name === undefined) return;
    const exported = new Variable(name, unit.scope);
    exported.addDeclaration(binding);
    binding.node = exported.node;
    unit.exports.set(name, exported);
    unit.offers.push({ value: exported, line: statement.line });
  }
}

/** True for a pattern that takes some members of a value by name. */
function isRead(target: code.Expression): boolean {
  return target.kind === 'object' && target.entries.every(({ key, value }) => key && value.kind !== 'spread');
}

function compileExport(walker: Walker, { name, value, line }: code.Export, place: Place): void {
  const { unit } = walker;
  if (isSameExport(name, value, unit)) return;
  if (value.kind === 'import') unit.offers.push({ value: value.module, line });
  const named = value.kind === 'name' ? lookUp(value.name, place.scope) : undefined;
  if (named && !('kind' in named) && named.declarations?.some((each) => each.kind === 'import'))
    unit.offers.push({ value: named, line });
  const binding = exported(walker, name, value, place);
  if (name === '=') {
    unit.assigned ??= new Node();
    binding.node.flowTo(unit.assigned);
    // `module.exports = exports.default` is what compilers write after the export.
    if (!unit.exports.has('default')) unit.exports.set('default', binding);
  } else unit.exports.set(name, binding);
}

/** `module.exports.default = exports.default`, after `module.exports` became what the file exports by default. */
function isSameExport(name: string, value: code.Expression, { exports, rules }: Unit): boolean {
  if (value.kind !== 'member' || value.name !== name || !exports.has(name)) return false;
  return value.object.kind === 'name' && value.object.name === rules.exportsName;
}

function exported(walker: Walker, name: string, value: code.Expression, place: Place): Binding {
  if (value.kind === 'name') return lookUp(value.name, place.scope);
  const variable = new Variable(name, walker.unit.scope);
  if (value.kind === 'function' || value.kind === 'class') {
    const declared = compileValue(walker, value, place);
    variable.addDeclaration(declared);
    walker.unit.hold(declared).flowTo(variable.node);
  } else walker.expression(value, place)?.flowTo(variable.node);
  return variable;
}

function compileEach(walker: Walker, { target, of, yields, declares }: code.Each, place: Place): void {
  const value = walker.expression(of, place);
  const operate = (operation: 'each' | 'keys' | 'pairs') => {
    if (!value) return undefined;
    const node = new Node();
    const { unit } = walker;
    unit.instructions.push({
      kind: 'operation',
      unit,
      origin: originOf(unit, of, place),
      operation,
      value,
      node,
    });
    return node;
  };
  const [first, second] = target.kind === 'list' || target.kind === 'tuple' ? target.items : [];
  if (yields === 'pairs' && first) {
    walker.assign(first, operate('keys'), place, declares === true);
    if (second) walker.assign(second, operate('pairs'), place, declares === true);
  } else walker.assign(target, operate(yields ?? 'each'), place, declares === true);
}

function compileClassStatement(walker: Walker, code: code.ClassCode, place: Place): void {
  const variable = code.name === undefined ? undefined : place.scope.declare(code.name);
  const container = walker.class(code, place);
  if (!variable) return;
  variable.symbol ??= code.symbol;
  variable.addDeclaration(container);
  const { decorators = [] } = code;
  walker.write(variable, walker.decorate(container, decorators, place), place);
}

function compileAlias(walker: Walker, alias: code.Alias, place: Place): void {
  const scope = new Scope('block', place.scope, walker.unit);
  const parameters: GenericParameter[] = [];
  declareGenerics(alias.parameters ?? [], scope, parameters);
  const variable = place.scope.declare(alias.name);
  variable.symbol ??= alias.symbol;
  variable.addDeclaration(new AliasType(alias.type, scope, parameters, alias.symbol));
  const source = alias.symbol === undefined ? place.source : alias.symbol + 1;
  walker.useType(alias.type, { ...place, source, scope });
  const { unit } = walker;
  if (unit.rules.namedTypesAreValues && alias.type.kind === 'named')
    unit.instructions.push({ kind: 'class_of', scope, type: alias.type, node: variable.node });
}

function compileImplement(walker: Walker, statement: code.Implement, place: Place): void {
  const { type, trait, members, parameters, start, line } = statement;
  const body = walker.class(
    { form: 'class', start, line, members, ...(parameters && { types: parameters }) },
    place,
  );
  walker.unit.implementations.push({ type, trait, body, line });
}
