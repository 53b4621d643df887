import type { Entry, Expression, Import, Statement } from '../../../code.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { call, moduleOf, propertyName, stringText, withoutParentheses, type Context } from './context.js';

/** Name that an assignment exports; `=` for the module itself. */
interface Target {
  readonly name: string;
  readonly node: SyntaxNode;
}

/** `exports.a = …`, `module.exports = …`, chains of them, and the calls that compilers write instead. */
export function commonJs(
  statement: SyntaxNode,
  expression: SyntaxNode,
  context: Context,
): Statement[] | undefined {
  if (expression.type === 'call_expression') return exportingCall(expression, context);
  const { targets, others, value } = chain(expression, context);
  const [first, ...more] = targets;
  if (!first || !value) return undefined;
  const other = others[0];
  const declared: Statement[] = other
    ? [{ kind: 'assign', target: context.expression(other), value: context.value(value, other) }]
    : [];
  const symbol =
    first.name === '=' ? (ownName(value) ?? statement) : (child(first.node, 'property') ?? first.node);
  const given = other ? context.expression(other) : context.value(value, symbol);
  markExported(value, symbol, context);
  return [
    ...declared,
    exportOf(first, given, context),
    ...more.map((each) => exportOf(each, again(first, context), context)),
  ];
}

/** `a` of `function a() {}` and `class a {}`. */
function ownName(value: SyntaxNode): SyntaxNode | undefined {
  return /^(?:function_expression|generator_function|class)$/.test(value.type)
    ? child(value, 'name')
    : undefined;
}

/** `const app = module.exports = {}` declares `app` and exports it. */
export function declaredExports(
  declarator: SyntaxNode,
  name: SyntaxNode,
  context: Context,
): { readonly value?: SyntaxNode; readonly exports: Statement[] } {
  const written = child(declarator, 'value');
  if (!written) return { exports: [] };
  const { targets, value } = chain(written, context);
  if (targets.length === 0 || !value || name.type !== 'identifier') return { value: written, exports: [] };
  context.exported.names.add(context.lowering.textOf(name));
  markExported(value, name, context);
  return { value, exports: targets.map((each) => exportOf(each, context.expression(name), context)) };
}

/** `const a = require('a')`, `const { b, c: d } = require('a')`, `const e = require('a').e`, `await import('a')`. */
export function required(declarator: SyntaxNode, context: Context): Statement[] | undefined {
  const name = child(declarator, 'name');
  const written = child(declarator, 'value');
  if (!name || !written || child(declarator, 'type')) return undefined;
  const { lowering } = context;
  const property = written.type === 'member_expression' ? child(written, 'property') : undefined;
  const module = loaded(property ? child(written, 'object') : written, context);
  if (!module) return undefined;
  const base = { kind: 'import' as const, module: stringText(module, context), ...lowering.at(module) };
  const helpers = interopCalls(property ? child(written, 'object') : written, context);
  if (name.type === 'identifier') {
    const local = lowering.textOf(name);
    return [
      property ? importOf(lowering.textOf(property), local, base) : { ...base, form: 'namespace', local },
      ...helpers,
    ];
  }
  const pairs = property ? undefined : simplePairs(name, context);
  return pairs && [...pairs.map(([from, local]) => importOf(from, local, base)), ...helpers];
}

/** The calls of the functions in which compilers wrap `require`, without what they are given: they return it. */
function interopCalls(node: SyntaxNode | undefined, context: Context): Statement[] {
  const value = node && withoutParentheses(node);
  const callee = value && child(value, 'function');
  if (!callee || moduleOf(value, context)) return [];
  const list = child(value, 'arguments');
  const at = context.lowering.at(value);
  return [
    { kind: 'evaluate', value: call(context.expression(callee), [], at) },
    ...interopCalls(list && named(list)[0], context),
  ];
}

function importOf(
  name: string,
  local: string,
  base: Pick<Import, 'kind' | 'module' | 'start' | 'line'>,
): Statement {
  return name === 'default' ? { ...base, form: 'default', local } : { ...base, form: 'named', name, local };
}

/** Functions in which compilers wrap `require`. They return the module. */
const INTEROP =
  /^(?:_*interopRequire(?:Default|Wildcard)|_*import(?:Default|Star)|_*toESM|_*interopNamespace)(?:\d+|Compat)?$/;

/** The name of the module that an expression loads. */
function loaded(node: SyntaxNode | undefined, context: Context): SyntaxNode | undefined {
  const written = node && withoutParentheses(node);
  const awaited = written?.type === 'await_expression' ? named(written)[0] : undefined;
  const value = awaited ? withoutParentheses(awaited) : written;
  if (!value) return undefined;
  const callee = child(value, 'function');
  const module = moduleOf(value, context);
  // Without `await`, `import()` gives a promise.
  if (module) return callee?.type === 'import' && !awaited ? undefined : module;
  const list = child(value, 'arguments');
  const helper = callee && (child(callee, 'property') ?? callee);
  if (value.type !== 'call_expression' || !helper || !INTEROP.test(context.lowering.textOf(helper)))
    return undefined;
  return list && loaded(named(list)[0], context);
}

/** `{ a, b: c }` as pairs of names; undefined for other objects. */
function simplePairs(pattern: SyntaxNode, context: Context): [string, string][] | undefined {
  if (pattern.type !== 'object_pattern') return undefined;
  const pairs: [string, string][] = [];
  for (const each of named(pattern)) {
    const key = child(each, 'key') ?? each;
    const value = child(each, 'value') ?? each;
    const plain = each.type === 'shorthand_property_identifier_pattern' || value.type === 'identifier';
    if (!plain) return undefined;
    pairs.push([propertyName(key, context), context.lowering.textOf(value)]);
  }
  return pairs.length > 0 ? pairs : undefined;
}

function chain(
  node: SyntaxNode,
  context: Context,
): { readonly targets: Target[]; readonly others: SyntaxNode[]; readonly value?: SyntaxNode } {
  const targets: Target[] = [];
  const others: SyntaxNode[] = [];
  let at: SyntaxNode | undefined = withoutParentheses(node);
  while (at?.type === 'assignment_expression') {
    const left = child(at, 'left');
    const name = left && exportName(left, context);
    if (left && name !== undefined) targets.push({ name, node: left });
    else if (left && !isExports(left, context)) others.push(left);
    const right = child(at, 'right');
    at = right && withoutParentheses(right);
  }
  return { targets, others, ...(at && { value: at }) };
}

function exportName(left: SyntaxNode, context: Context): string | undefined {
  if (isModuleExports(left, context)) return '=';
  const object = child(left, 'object');
  if (!object || !isExports(object, context)) return undefined;
  const property = child(left, 'property') ?? child(left, 'index');
  if (left.type === 'member_expression') return property && context.lowering.textOf(property);
  return property?.type === 'string' ? stringText(property, context) : undefined;
}

function isExports(node: SyntaxNode, context: Context): boolean {
  return (
    isModuleExports(node, context) ||
    (node.type === 'identifier' && context.lowering.textOf(node) === 'exports')
  );
}

function isModuleExports(node: SyntaxNode, { lowering }: Context): boolean {
  return node.type === 'member_expression' && lowering.textOf(node) === 'module.exports';
}

function exportOf({ name, node }: Target, value: Expression, context: Context): Statement {
  return { kind: 'export', name, value, ...context.lowering.at(node) };
}

/** The value of a chain of assignments, named by its first target. */
function again({ name, node }: Target, context: Context): Expression {
  const at = context.lowering.at(node);
  const self: Expression = { kind: 'name', name: 'exports', ...at };
  return name === '=' ? self : { kind: 'member', object: self, name, ...at };
}

function markExported(value: SyntaxNode, symbolNode: SyntaxNode, { lowering, exported }: Context): void {
  const mark = (node: SyntaxNode): void => {
    const { symbol } = lowering.symbolAt(node);
    if (symbol !== undefined) exported.symbols.add(symbol);
  };
  mark(symbolNode);
  if (value.type === 'identifier') exported.names.add(lowering.textOf(value));
  if (value.type !== 'object') return;
  for (const each of named(value)) {
    const key = child(each, 'key') ?? child(each, 'name') ?? each;
    const given = child(each, 'value') ?? each;
    mark(key);
    if (given.type.endsWith('identifier')) exported.names.add(lowering.textOf(given));
  }
}

/** `Object.defineProperty(exports, 'a', …)`, `Object.assign(exports, …)`, `__exportStar(require('a'), exports)`. */
function exportingCall(node: SyntaxNode, context: Context): Statement[] | undefined {
  const callee = child(node, 'function');
  const list = child(node, 'arguments');
  if (!callee || list?.type !== 'arguments') return undefined;
  const given = named(list);
  const [first, second, third] = given;
  if (!first) return undefined;
  const text = context.lowering.textOf(callee);
  const at = context.lowering.at(first);
  if (/(?:^|\.)_*export(?:Star)?$/.test(text)) {
    const module = loaded(first, context);
    return (
      module && [
        { kind: 'import', module: stringText(module, context), form: 'wildcard', reexport: true, ...at },
      ]
    );
  }
  if (!isExports(first, context) || !second) return undefined;
  if (text === 'Object.assign') return given.slice(1).flatMap((each) => exportAll(each, at, context));
  if (text !== 'Object.defineProperty' || second.type !== 'string' || third?.type !== 'object')
    return undefined;
  const name = stringText(second, context);
  const value = descriptorValue(context.expression(third), at);
  return value && name !== '__esModule' ? [{ kind: 'export', name, value, ...at }] : undefined;
}

/** The properties of an object, or the names of a module, become exports. */
function exportAll(node: SyntaxNode, at: Pick<Import, 'start' | 'line'>, context: Context): Statement[] {
  const value = context.expression(node);
  if (value.kind !== 'object') return exportOfEntry({ value }, at);
  markExported(node, node, context);
  return value.entries.flatMap((each) => exportOfEntry(each, at));
}

function exportOfEntry({ key, value }: Entry, at: Pick<Import, 'start' | 'line'>): Statement[] {
  if (key?.kind === 'literal' && key.text !== undefined)
    return [{ kind: 'export', name: key.text, value, ...at }];
  const spread = value.kind === 'spread' ? value.value : value;
  if (spread.kind !== 'import') return [{ kind: 'evaluate', value }];
  return [{ kind: 'import', module: spread.module, form: 'wildcard', reexport: true, ...at }];
}

/** The value of a property descriptor: its `value`, or the result of its `get`. */
function descriptorValue(descriptor: Expression, at: Pick<Import, 'start' | 'line'>): Expression | undefined {
  if (descriptor.kind !== 'object') return undefined;
  const of = (name: string): Expression | undefined =>
    descriptor.entries.find(({ key }) => key?.kind === 'literal' && key.text === name)?.value;
  const get = of('get');
  if (!get) return of('value');
  const returned = get.kind === 'function' ? get.function.body?.at(-1) : undefined;
  return returned?.kind === 'return' ? returned.value : call(get, [], at);
}
