import type { Assign, Import, Statement } from '../../../code.js';
import { child, childrenIn, named, NO_NODE, type SyntaxNode } from '../syntax-node.js';
import { macroBody } from './calls.js';
import { friendsOf } from './classes.js';
import type { Unit } from './context.js';
import { declarationOf, typedefOf } from './declarations.js';
import { declaredBy, parametersOf } from './declarators.js';
import { isExpression } from './expressions.js';
import { nameOf } from './names.js';
import { aliasOf, namespaceAlias, namespaceOf, templateOf, usingOf } from './namespaces.js';

type ToStatements = (unit: Unit, node: SyntaxNode) => readonly Statement[];

const STATEMENTS: Readonly<Record<string, ToStatements>> = {
  preproc_include: includeOf,
  preproc_function_def: macroOf,
  preproc_def: constantOf,
  preproc_ifdef: conditional,
  preproc_if: conditional,
  preproc_elif: conditional,
  preproc_elifdef: conditional,
  preproc_else: conditional,
  preproc_call: () => [],
  function_definition: (unit, node) => {
    const code = unit.function(node);
    return code ? [{ kind: 'function', function: code }] : unit.statements(child(node, 'body') ?? NO_NODE);
  },
  declaration: declarationOf,
  field_declaration: declarationOf,
  type_definition: typedefOf,
  struct_specifier: classStatement,
  union_specifier: classStatement,
  class_specifier: classStatement,
  enum_specifier: classStatement,
  friend_declaration: () => [],
  namespace_definition: namespaceOf,
  namespace_alias_definition: namespaceAlias,
  using_declaration: usingOf,
  alias_declaration: aliasOf,
  template_declaration: templateOf,
  concept_definition: () => [],
  compound_statement: (unit, node) => [{ kind: 'block', body: unit.statements(node) }],
  expression_statement: (unit, node) => named(node).flatMap((each) => evaluated(unit, each)),
  return_statement: returnOf,
  co_return_statement: returnOf,
  co_yield_statement: (unit, node) =>
    named(node).map((each) => ({ kind: 'evaluate', value: { kind: 'yield', value: unit.expression(each) } })),
  if_statement: (unit, node) => {
    const [then, otherwise] = [child(node, 'consequence'), child(node, 'alternative')];
    const arms = [then, otherwise].flatMap((each) => (each ? [[...unit.statement(each)]] : []));
    return scoped([
      ...conditionOf(unit, child(node, 'condition')),
      { kind: 'branch', arms, ...(otherwise && { total: true }) },
    ]);
  },
  else_clause: (unit, node) => named(node).flatMap((each) => unit.statement(each)),
  condition_clause: conditionOf,
  init_statement: (unit, node) => unit.statements(node),
  while_statement: loopOf,
  do_statement: loopOf,
  for_statement: loopOf,
  for_range_loop: (unit, node) => {
    const [right = NO_NODE, body = NO_NODE] = [child(node, 'right'), child(node, 'body')];
    const start = child(node, 'initializer');
    const { name, type } = declaredBy(unit, child(node, 'declarator'), unit.type(child(node, 'type')));
    const target =
      name?.type === 'structured_binding_declarator'
        ? ({ kind: 'tuple', items: named(name).map((each) => unit.expression(each)) } as const)
        : name && unit.expression(name);
    const typed = type && target?.kind === 'name' ? [{ ...target, kind: 'declare', type } as const] : [];
    return scoped([
      ...(start ? unit.statement(start) : []),
      ...typed,
      ...(target ? [{ kind: 'each', target, of: unit.expression(right), declares: true } as const] : []),
      { kind: 'branch', arms: [[...unit.statement(body)]] },
    ]);
  },
  switch_statement: (unit, node) => {
    const cases = named(child(node, 'body') ?? NO_NODE);
    return scoped([
      ...conditionOf(unit, child(node, 'condition')),
      { kind: 'branch', arms: cases.map((each) => [...unit.statement(each)]) },
    ]);
  },
  case_statement: (unit, node) =>
    named(node)
      .filter(({ field }) => field !== 'value')
      .flatMap((each) => unit.statement(each)),
  labeled_statement: (unit, node) =>
    named(node)
      .filter(({ field }) => field !== 'label')
      .flatMap((each) => unit.statement(each)),
  goto_statement: () => [],
  break_statement: () => [],
  continue_statement: () => [],
  try_statement: (unit, node) => {
    const handlers = named(node).filter(({ type }) => type === 'catch_clause');
    const arms = [child(node, 'body') ?? NO_NODE, ...handlers].map((each) => [...unit.statement(each)]);
    return [{ kind: 'branch', arms }];
  },
  catch_clause: (unit, node) => [
    {
      kind: 'block',
      body: [
        ...parametersOf(unit, child(node, 'parameters')).flatMap(({ target, type }): Statement[] =>
          target.kind === 'name' && target.name !== ''
            ? [{ ...target, kind: 'declare', ...(type && { type }) }]
            : [],
        ),
        ...unit.statements(child(node, 'body') ?? NO_NODE),
      ],
    },
  ],
};

/** Unknown nodes count as their children. */
export function statementOf(unit: Unit, node: SyntaxNode): readonly Statement[] {
  const lower = Object.hasOwn(STATEMENTS, node.type) ? STATEMENTS[node.type] : undefined;
  if (lower) return lower(unit, node);
  return isExpression(node) ? evaluated(unit, node) : unit.statements(node);
}

/** `"a.h"` without its quotes, `<a.h>` with its brackets: they are looked for in different places. */
function includeOf(unit: Unit, node: SyntaxNode): Import[] {
  const path = child(node, 'path');
  const text = path && unit.lowering.textOf(path).replaceAll('"', '');
  return path && text ? [{ kind: 'import', ...unit.lowering.at(path), module: text, form: 'load' }] : [];
}

function macroOf(unit: Unit, node: SyntaxNode): Statement[] {
  const name = child(node, 'name') ?? node;
  const { symbol } = unit.lowering.symbolAt(name);
  unit.lowering.define(symbol, { exported: true });
  const parameters = named(child(node, 'parameters') ?? NO_NODE).map((each) => ({
    target: nameOf(unit, each),
  }));
  const at = unit.lowering.at(name);
  const text = unit.lowering.textOf(name);
  const body = macroBody(unit, node);
  return [
    {
      kind: 'function',
      function: { ...at, name: text, parameters, body, ...(symbol !== undefined && { symbol }) },
    },
  ];
}

/** `#define LOG write_log`: another name. */
function constantOf(unit: Unit, node: SyntaxNode): Statement[] {
  const [name, value] = [child(node, 'name'), child(node, 'value')];
  if (!name || !value) return [];
  const { symbol } = unit.lowering.symbolAt(name);
  unit.lowering.define(symbol, { exported: true });
  const text = unit.lowering.textOf(value).trim();
  const at = unit.lowering.at(value);
  return [
    {
      kind: 'declare',
      ...unit.lowering.at(name),
      name: unit.lowering.textOf(name),
      ...(/^[A-Za-z_]\w*$/.test(text) && { value: { kind: 'name', ...at, name: text } as const }),
      ...(symbol !== undefined && { symbol }),
    },
  ];
}

/** Both sides of a condition of the preprocessor. */
function conditional(unit: Unit, node: SyntaxNode): readonly Statement[] {
  return named(node)
    .filter(({ field }) => field !== 'name' && field !== 'condition')
    .flatMap((each) => unit.statement(each));
}

function classStatement(unit: Unit, node: SyntaxNode): Statement[] {
  if (!child(node, 'body')) return [];
  return [{ kind: 'class', class: unit.class(node) }, ...friendsOf(unit, node)];
}

function evaluated(unit: Unit, node: SyntaxNode): Statement[] {
  const pointer = node.type === 'assignment_expression' ? memberPointer(child(node, 'left')) : undefined;
  if (pointer) {
    const value = unit.expression(child(node, 'right') ?? NO_NODE);
    return [{ kind: 'declare', ...unit.lowering.at(pointer), name: unit.lowering.textOf(pointer), value }];
  }
  const value = unit.expression(node);
  if (value.kind === 'assign') return [unit.cpp ? assignment(unit, node, value) : value];
  return value.kind === 'literal' || value.kind === 'this' ? [] : [{ kind: 'evaluate', value }];
}

/** The name in `int (A::*f)(int) = …`, which the grammar takes for a call of what `int(A::*f)` gives. */
function memberPointer(left: SyntaxNode | undefined): SyntaxNode | undefined {
  const inner = left?.type === 'call_expression' ? child(left, 'function') : undefined;
  const list = inner?.type === 'call_expression' ? child(inner, 'arguments') : undefined;
  let name: SyntaxNode | undefined = named(list ?? NO_NODE)[0];
  while (name?.type === 'qualified_identifier') name = child(name, 'name');
  return name?.type === 'pointer_type_declarator' ? named(name)[0] : undefined;
}

/** `a = b;` may call a function of the class. */
function assignment(unit: Unit, node: SyntaxNode, assign: Assign): Statement {
  const { target, value } = assign;
  const isNamed = target.kind === 'name' || target.kind === 'member';
  const isPlain = value.kind === 'literal' && value.type !== 'string';
  if (!isNamed || isPlain) return assign;
  const operator = { ...unit.lowering.at(node), name: '=' };
  return { kind: 'evaluate', value: { kind: 'operation', of: [target, assign], operator } };
}

function returnOf(unit: Unit, node: SyntaxNode): Statement[] {
  return named(node).map((each) => ({ kind: 'return', value: unit.expression(each) }));
}

/** The parts of a condition, which may declare. */
function conditionOf(unit: Unit, node: SyntaxNode | undefined): Statement[] {
  if (node?.type !== 'condition_clause') return node ? evaluated(unit, node) : [];
  return ['initializer', 'value']
    .flatMap((field) => childrenIn(node, field))
    .flatMap((each) => unit.statement(each));
}

/** A construct that may declare has a scope. */
function scoped(body: readonly Statement[]): Statement[] {
  return body.some(({ kind }) => kind === 'declare' || kind === 'assign' || kind === 'each')
    ? [{ kind: 'block', body }]
    : [...body];
}

function loopOf(unit: Unit, node: SyntaxNode): Statement[] {
  const body = child(node, 'body');
  const update = child(node, 'update');
  const start = child(node, 'initializer');
  return scoped([
    ...(start ? unit.statement(start) : []),
    ...conditionOf(unit, child(node, 'condition')),
    ...(update ? evaluated(unit, update) : []),
    { kind: 'branch', arms: [body ? [...unit.statement(body)] : []] },
  ]);
}
