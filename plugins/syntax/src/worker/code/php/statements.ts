import type { Expression, Statement } from '../../../code.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { constructOf } from './constructs.js';
import type { Php } from './context.js';
import { docTags } from './doc.js';
import { isExpression } from './expressions.js';
import { includedPath } from './includes.js';
import { constantsOf, methodOf, propertiesOf } from './members.js';
import { variableOf } from './names.js';
import { afterLeaving, whereTrue } from './narrowing.js';
import { namespaceOf, usesOf } from './namespaces.js';
import { writtenOf } from './text.js';
import { docType, typeOf } from './types.js';

type ToStatements = (php: Php, node: SyntaxNode, doc?: string) => readonly Statement[];

const STATEMENTS: Readonly<Record<string, ToStatements>> = {
  expression_statement: (php, node) => named(node).flatMap((each) => evaluated(php, each)),
  compound_statement: (php, node) => php.statements(node),
  return_statement: (php, node) =>
    named(node).map((each) => ({ kind: 'return', value: php.expression(each) })),
  function_definition: (php, node, doc) => {
    const code = php.function(node, doc);
    php.lowering.define(code.symbol, { exported: true });
    return [{ kind: 'function', function: code }];
  },
  method_declaration: methodOf,
  class_declaration: (php, node, doc) => [php.classStatement(node, doc)],
  interface_declaration: (php, node, doc) => [php.classStatement(node, doc)],
  trait_declaration: (php, node, doc) => [php.classStatement(node, doc)],
  enum_declaration: (php, node, doc) => [php.classStatement(node, doc)],
  property_declaration: propertiesOf,
  const_declaration: constantsOf,
  enum_case: (php, node) => {
    const [name, value] = [child(node, 'name') ?? node, child(node, 'value')];
    return [
      {
        kind: 'declare',
        ...php.lowering.at(name),
        name: php.lowering.textOf(name),
        type: { kind: 'self' },
        static: true,
        ...(value && { value: php.expression(value) }),
      },
    ];
  },
  use_declaration: () => [],
  echo_statement: (php, node) => {
    const values = named(node).flatMap((each) =>
      each.type === 'sequence_expression' ? named(each) : [each],
    );
    return [{ kind: 'evaluate', value: writtenOf(php, values) }];
  },
  goto_statement: () => [],
  named_label_statement: () => [],
  namespace_definition: namespaceOf,
  namespace_use_declaration: (php, node) => usesOf(php.lowering, node),
  global_declaration: (php, node) => [
    { kind: 'outer', names: named(node).map((each) => php.lowering.textOf(each)), scope: 'file' },
  ],
  static_variable_declaration: (php, node) => {
    const [name, value] = [child(node, 'name') ?? node, child(node, 'value')];
    const declared = { kind: 'declare', ...php.lowering.at(name), name: php.lowering.textOf(name) } as const;
    return [{ ...declared, ...(value && { value: php.expression(value) }) }];
  },
  if_statement: (php, node) => {
    const condition = child(node, 'condition');
    const alternatives = childrenIn(node, 'alternative');
    const arms = [armOf(php, node), ...alternatives.map((each) => armOf(php, each))];
    const total = alternatives.some(({ type }) => type === 'else_clause');
    const conditions = [condition, ...alternatives.map((each) => child(each, 'condition'))];
    return [
      ...conditions.flatMap((each) => (each ? evaluated(php, each) : [])),
      { kind: 'branch', arms, ...(total && { total }) },
    ];
  },
  foreach_statement: (php, node) => {
    const [of, target] = named(node).filter(({ field }) => field !== 'body');
    if (!of || !target) return php.statements(node);
    const [key, value] = target.type === 'pair' ? named(target) : [undefined, target];
    const item = value ? php.expression(value) : undefined;
    const both: Expression | undefined = key && item && { kind: 'tuple', items: [php.expression(key), item] };
    const each: Statement | undefined = item && {
      kind: 'each',
      target: both ?? item,
      of: php.expression(of),
      ...(both && { yields: 'pairs' }),
    };
    return [...(each ? [each] : []), { kind: 'branch', arms: [bodyOf(php, node)] }];
  },
  unset_statement: (php, node) => {
    const values = named(node).map((each) => php.expression(each));
    return [{ kind: 'evaluate', value: constructOf(php, node, 'unset', values) }];
  },
  for_statement: loopOf,
  while_statement: loopOf,
  do_statement: loopOf,
  switch_statement: (php, node) => {
    const condition = child(node, 'condition');
    const cases = named(child(node, 'body') ?? node);
    const arms = cases.map((each) => php.statements(each));
    return [...(condition ? evaluated(php, condition) : []), { kind: 'branch', arms }];
  },
  try_statement: (php, node) => {
    const handlers = named(node).filter(({ type }) => type === 'catch_clause');
    const last = ofType(node, 'finally_clause');
    return [
      { kind: 'branch', arms: [bodyOf(php, node), ...handlers.map((each) => catchOf(php, each))] },
      ...(last ? bodyOf(php, last) : []),
    ];
  },
};

/** Declarations among the statements of a file, function or class. Unknown nodes count as their children. */
export function statementOf(php: Php, node: SyntaxNode, doc?: string): readonly Statement[] {
  const lower = Object.hasOwn(STATEMENTS, node.type) ? STATEMENTS[node.type] : undefined;
  if (lower) return lower(php, node, doc);
  return isExpression(node) ? evaluated(php, node) : php.statements(node);
}

/** The statements of the children of a node: each with the doc comment before it. */
export function statementsIn(php: Php, node: SyntaxNode): Statement[] {
  let doc: string | undefined;
  let place = php;
  return node.children.flatMap((each, index) => {
    if (each.type === 'comment') {
      doc = php.lowering.textOf(each);
      return documentedVariables(php, each, doc);
    }
    if (!each.named || each.type === 'attribute_list') return [];
    const before = doc;
    doc = undefined;
    const statements = place.statement(each, before);
    const rest = afterLeaving(place, each, node.children.slice(index + 1));
    place = rest?.php ?? place;
    return [...statements, ...(rest?.before ?? [])];
  });
}

/** `@var User $user` in a function or file. Without a name it belongs to the property after it. */
function documentedVariables(php: Php, node: SyntaxNode, doc: string): Statement[] {
  return docTags(doc).flatMap(({ tag, type: text, name }): Statement[] => {
    const at = php.lowering.at(node);
    const type = tag === 'var' && name?.startsWith('$') ? docType(php, text, at) : undefined;
    return type && name !== undefined ? [{ kind: 'declare', ...at, name, type }] : [];
  });
}

function evaluated(php: Php, node: SyntaxNode): Statement[] {
  const constant = definedConstant(php, node);
  if (constant) return [constant];
  if (/^(?:include|require)(?:_once)?_expression$/.test(node.type)) {
    const path = named(node)[0];
    const module = path && includedPath(php.lowering, path);
    if (module !== undefined) return [{ kind: 'import', ...php.lowering.at(node), module, form: 'load' }];
  }
  const value = php.expression(node);
  if (value.kind === 'assign') {
    const [left, right] = [child(node, 'left'), value.value];
    const { symbol } = left ? php.lowering.symbolAt(left) : {};
    if (right.kind !== 'function' || symbol === undefined) return [value];
    php.lowering.define(symbol, { exported: php.lowering.symbols[symbol]?.parent === null });
    return [{ ...value, value: { kind: 'function', function: { ...right.function, symbol } } }];
  }
  return value.kind === 'literal' || value.kind === 'this' ? [] : [{ kind: 'evaluate', value }];
}

/** `define('LIMIT', 3)`. */
function definedConstant(php: Php, node: SyntaxNode): Statement | undefined {
  const called = child(node, 'function');
  if (node.type !== 'function_call_expression' || !called || php.lowering.textOf(called) !== 'define')
    return undefined;
  const [name, value] = named(child(node, 'arguments') ?? node).flatMap((each) => named(each));
  const content = name?.type === 'string' ? named(name)[0] : undefined;
  if (!content || !value) return undefined;
  const { symbol } = php.lowering.symbolAt(content);
  php.lowering.define(symbol, { exported: true });
  return {
    kind: 'declare',
    ...php.lowering.at(content),
    name: php.lowering.textOf(content),
    value: php.expression(value),
    ...(symbol !== undefined && { symbol }),
  };
}

/** The body of a construct, which is one statement or, in the syntax with a colon, several. */
function bodyOf(php: Php, node: SyntaxNode): Statement[] {
  return childrenIn(node, 'body').flatMap((each) => [...php.statement(each)]);
}

/** The body of a construct, where its condition holds. */
function armOf(php: Php, node: SyntaxNode): Statement[] {
  const { php: inner, before } = whereTrue(php, child(node, 'condition'), childrenIn(node, 'body'));
  return [...before, ...bodyOf(inner, node)];
}

function loopOf(php: Php, node: SyntaxNode): Statement[] {
  const conditions = ['initialize', 'condition', 'update'].flatMap((field) => childrenIn(node, field));
  return [
    ...conditions.flatMap((each) => evaluated(php, each)),
    { kind: 'branch', arms: [armOf(php, node)] },
  ];
}

function catchOf(php: Php, node: SyntaxNode): Statement[] {
  const name = child(node, 'name');
  const type = typeOf(php, child(node, 'type'));
  const target = name && variableOf(php, name);
  const declared: Statement[] =
    target?.kind === 'name' ? [{ ...target, kind: 'declare', ...(type && { type }) }] : [];
  return [...declared, ...bodyOf(php, node)];
}
