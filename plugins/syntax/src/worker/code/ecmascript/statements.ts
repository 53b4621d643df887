import type { Expression, Statement } from '../../../code.js';
import { MAX_FACTS } from '../proofs.js';
import { child, childrenIn, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import { annotation, typeParameters } from './annotations.js';
import { classCode, enumCode, interfaceCode, namespaceCode } from './classes.js';
import { commonJs, declaredExports, required } from './commonjs.js';
import { expressionOf, hasToken, withoutParentheses, type Context } from './context.js';
import { functionCode } from './functions.js';
import { exportStatement, importStatement } from './modules.js';
import { leaves, narrowing } from './narrowing.js';
import { pattern } from './patterns.js';
import { prototypeCall } from './prototypes.js';

type StatementRule = (node: SyntaxNode, context: Context) => Statement[];

const functionStatement: StatementRule = (node, context) => [
  { kind: 'function', function: functionCode(node, context) },
];
const classStatement: StatementRule = (node, context) => [{ kind: 'class', class: classCode(node, context) }];
const namespace: StatementRule = (node, context) => [{ kind: 'class', class: namespaceCode(node, context) }];
const inner: StatementRule = (node, context) => context.statements(named(node));
const nothing: StatementRule = () => [];

/** By the node's type; other nodes are expressions. */
export const STATEMENTS: ReadonlyMap<string, StatementRule> = new Map<string, StatementRule>([
  ['import_statement', importStatement],
  ['import_alias', importAlias],
  ['export_statement', exportStatement],
  ['function_declaration', functionStatement],
  ['generator_function_declaration', functionStatement],
  ['function_signature', functionStatement],
  ['class_declaration', classStatement],
  ['abstract_class_declaration', classStatement],
  ['interface_declaration', (node, context) => [{ kind: 'class', class: interfaceCode(node, context) }]],
  ['enum_declaration', (node, context) => [{ kind: 'class', class: enumCode(node, context) }]],
  ['internal_module', namespace],
  ['module', namespace],
  ['type_alias_declaration', alias],
  ['ambient_declaration', ambient],
  ['lexical_declaration', declaration],
  ['variable_declaration', declaration],
  ['using_declaration', declaration],
  ['expression_statement', expressionStatement],
  ['statement_block', (node, context) => block(inner(node, context))],
  ['if_statement', conditional],
  ['while_statement', loop],
  ['do_statement', loop],
  ['for_statement', counted],
  ['for_in_statement', each],
  ['switch_statement', choice],
  ['try_statement', attempt],
  ['return_statement', returned],
  ['throw_statement', (node, context) => evaluate(named(node)[0], context)],
  ['labeled_statement', (node, context) => bodyOf(child(node, 'body'), context)],
  [
    'with_statement',
    (node, context) => [...evaluate(child(node, 'object'), context), ...bodyOf(child(node, 'body'), context)],
  ],
  ['else_clause', inner],
  ['finally_clause', inner],
  ['ERROR', inner],
  ['break_statement', nothing],
  ['continue_statement', nothing],
  ['debugger_statement', nothing],
  ['empty_statement', nothing],
  ['hash_bang_line', nothing],
]);

/** The statements of a list. A condition that leaves the list narrows types for the rest of it. */
export function statementsOf(nodes: readonly SyntaxNode[], context: Context, narrowings = 0): Statement[] {
  const found: Statement[] = [];
  const lastHoisted = nodes.findLastIndex(({ type }) => HOISTED.has(type));
  for (const [index, node] of nodes.entries()) {
    found.push(...context.statement(node));
    const { no } = leavesIfNot(node, context);
    if (no.length > 0 && index > lastHoisted && narrowings < MAX_FACTS) {
      const rest = statementsOf(nodes.slice(index + 1), context, narrowings + 1);
      return [...merged(found), { kind: 'block', body: [...no, ...rest], narrows: true }];
    }
  }
  return merged(found);
}

const HOISTED: ReadonlySet<string> = new Set([
  'function_declaration',
  'export_statement',
  'import_statement',
]);

function leavesIfNot(node: SyntaxNode, context: Context): ReturnType<typeof narrowing> {
  const leaving =
    node.type === 'if_statement' && !child(node, 'alternative') && leaves(child(node, 'consequence'));
  return narrowing(leaving ? child(node, 'condition') : undefined, context);
}

/** Interfaces, namespaces and classes of one name are one declaration. */
function merged(found: readonly Statement[]): Statement[] {
  const names = new Set<string>();
  return found.map((each) => {
    const name =
      each.kind === 'class' ? each.class.name : each.kind === 'function' ? each.function.name : undefined;
    if (name === undefined) return each;
    const reopens = each.kind === 'class' && names.has(name);
    names.add(name);
    return reopens ? { ...each, class: { ...each.class, reopens: true } } : each;
  });
}

function block(body: Statement[]): Statement[] {
  return body.length === 0 ? [] : [{ kind: 'block', body }];
}

function bodyOf(node: SyntaxNode | undefined, context: Context): Statement[] {
  return node ? context.statement(node) : [];
}

function evaluate(node: SyntaxNode | undefined, context: Context): Statement[] {
  const value = expressionOf(node, context);
  return value.kind === 'literal' ? [] : [{ kind: 'evaluate', value }];
}

/** The contents of `declare global {}` belong to the file's scope. */
function ambient(node: SyntaxNode, context: Context): Statement[] {
  return named(node).flatMap((each) =>
    each.type === 'statement_block' ? inner(each, context) : context.statement(each),
  );
}

function importAlias(node: SyntaxNode, context: Context): Statement[] {
  const [name, value] = named(node);
  if (!name || !value) return [];
  const { lowering } = context;
  return [
    { kind: 'declare', name: lowering.textOf(name), value: context.expression(value), ...lowering.at(name) },
  ];
}

function alias(node: SyntaxNode, context: Context): Statement[] {
  const name = child(node, 'name');
  const value = child(node, 'value');
  if (!name || !value) return [];
  const { types } = typeParameters(node, context);
  const { lowering } = context;
  return [
    {
      kind: 'alias',
      name: lowering.textOf(name),
      ...(types && { parameters: types }),
      type: context.type(value),
      ...lowering.symbolAt(name),
      ...lowering.at(name),
    },
  ];
}

function declaration(node: SyntaxNode, context: Context): Statement[] {
  return named(node)
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap(
      (each) => required(each, context) ?? declarator(each, context, node.type === 'variable_declaration'),
    );
}

function declarator(node: SyntaxNode, context: Context, hoisted: boolean): Statement[] {
  const { lowering } = context;
  const name = child(node, 'name');
  if (!name) return [];
  const { value: written, exports } = declaredExports(node, name, context);
  const value = written && context.value(written, name);
  const { type } = annotation(node, context);
  if (name.type === 'identifier') {
    return [
      {
        kind: 'declare',
        name: lowering.textOf(name),
        ...(type && { type }),
        ...(value && { value }),
        ...lowering.symbolAt(name),
        ...(hoisted && { hoisted: true as const }),
        ...lowering.at(name),
      },
      ...exports,
    ];
  }
  const given: Expression = value ?? UNKNOWN;
  return [
    {
      kind: 'assign',
      target: pattern(name, context),
      value: type ? { kind: 'cast', value: given, type } : given,
      declares: true,
    },
    ...exports,
  ];
}

function expressionStatement(node: SyntaxNode, context: Context): Statement[] {
  const [expression] = named(node);
  if (!expression) return [];
  if (STATEMENTS.has(expression.type)) return context.statement(expression);
  const exported =
    opened(expression, context) ?? commonJs(node, expression, context) ?? prototypeCall(expression, context);
  if (exported) return exported;
  const value = context.expression(withoutParentheses(expression));
  if (value.kind === 'literal') return [];
  if (value.kind !== 'assign') return [{ kind: 'evaluate', value }];
  return [{ kind: 'assign', target: value.target, value: value.value }];
}

/** `using a = b`, `await using a = b`, which the grammar of TypeScript reads as an assignment. */
function opened(expression: SyntaxNode, context: Context): Statement[] | undefined {
  const resource = expression.type === 'await_expression' ? named(expression)[0] : expression;
  if (resource?.type !== 'assignment_expression' || !hasToken(resource, 'using')) return undefined;
  const name = child(resource, 'left');
  if (name?.type !== 'identifier') return undefined;
  const { lowering } = context;
  const value = expressionOf(child(resource, 'right'), context);
  return [{ kind: 'declare', name: lowering.textOf(name), value, ...lowering.at(name) }];
}

function conditional(node: SyntaxNode, context: Context): Statement[] {
  const condition = child(node, 'condition');
  const alternative = child(node, 'alternative');
  const { yes, no } = narrowing(condition, context);
  const arm = (proved: readonly Statement[], body: SyntaxNode | undefined): Statement[] =>
    proved.length > 0 ? block([...proved, ...bodyOf(body, context)]) : bodyOf(body, context);
  const arms = [arm(yes, child(node, 'consequence')), ...(alternative ? [arm(no, alternative)] : [])];
  return [
    ...evaluate(condition, context),
    { kind: 'branch', arms, ...(alternative && { total: true as const }) },
  ];
}

function loop(node: SyntaxNode, context: Context): Statement[] {
  const condition = child(node, 'condition');
  const { yes } = node.type === 'while_statement' ? narrowing(condition, context) : { yes: [] };
  const body = [...yes, ...bodyOf(child(node, 'body'), context)];
  return [
    ...evaluate(condition, context),
    { kind: 'branch', arms: [yes.length > 0 ? block(body) : body], loop: true },
  ];
}

function counted(node: SyntaxNode, context: Context): Statement[] {
  const parts = ['initializer', 'condition', 'increment'].map((field) => childrenIn(node, field)[0]);
  const [initializer, condition, increment] = parts.map((part) =>
    !part ? [] : STATEMENTS.has(part.type) ? context.statement(part) : evaluate(part, context),
  );
  const body = [...bodyOf(child(node, 'body'), context), ...(increment ?? [])];
  return block([...(initializer ?? []), ...(condition ?? []), { kind: 'branch', arms: [body], loop: true }]);
}

function each(node: SyntaxNode, context: Context): Statement[] {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return bodyOf(child(node, 'body'), context);
  const assigned: Statement = {
    kind: 'each',
    target: pattern(left, context),
    of: context.expression(right),
    ...(hasToken(node, 'in') && { yields: 'keys' as const }),
    ...(child(node, 'kind') && { declares: true as const }),
  };
  return block([{ kind: 'branch', arms: [[assigned, ...bodyOf(child(node, 'body'), context)]], loop: true }]);
}

function choice(node: SyntaxNode, context: Context): Statement[] {
  const body = child(node, 'body');
  const cases = body ? named(body) : [];
  const arms = cases.map((each) => context.statements(childrenIn(each, 'body')));
  const total = cases.some(({ type }) => type === 'switch_default');
  return [
    ...evaluate(child(node, 'value'), context),
    ...cases.flatMap((each) => (child(each, 'value') ? evaluate(child(each, 'value'), context) : [])),
    { kind: 'block', body: [{ kind: 'branch', arms, ...(total && { total: true as const }) }] },
  ];
}

function attempt(node: SyntaxNode, context: Context): Statement[] {
  const handler = ofType(node, 'catch_clause');
  const parameter = handler && child(handler, 'parameter');
  const caught: Statement[] = parameter
    ? [{ kind: 'assign', target: pattern(parameter, context), value: UNKNOWN, declares: true }]
    : [];
  const arms = [
    bodyOf(child(node, 'body'), context),
    ...(handler ? [block([...caught, ...bodyOf(child(handler, 'body'), context)])] : []),
  ];
  return [{ kind: 'branch', arms }, ...bodyOf(child(node, 'finalizer'), context)];
}

function returned(node: SyntaxNode, context: Context): Statement[] {
  const value = named(node)[0];
  return value ? [{ kind: 'return', value: context.expression(value) }] : [];
}
