import type { Branch, Expression, Statement, Type } from '../../../code.js';
import { MAX_FACTS } from '../proofs.js';
import { child, childrenIn, named, NO_NODE, ofType, type SyntaxNode } from '../syntax-node.js';
import { evaluate } from '../values.js';
import { assign, assignment, augmentedAssignment, declares } from './assignments.js';
import { classCode } from './classes.js';
import { afterLeaving, where, type Proved } from './conditions.js';
import { NONE, type Context } from './context.js';
import { operation } from './expressions.js';
import { decoratorsOf, functionCode, withoutStubs } from './functions.js';
import { importFrom, importStatement } from './imports.js';
import { matchStatement } from './patterns.js';
import { metadata, typeParameters } from './types.js';

export function body(node: SyntaxNode, context: Context): Statement[] {
  let inside = context;
  const lowered = named(node).flatMap((each) => {
    const own = statement(each, inside);
    const proved = afterLeaving(each, inside);
    if (!proved) return own;
    inside = proved.context;
    return [...own, ...proved.before];
  });
  return withoutStubs(lowered);
}

function statement(node: SyntaxNode, context: Context): Statement[] {
  const { lowering, frame } = context;
  const lower = (each: SyntaxNode): Expression => context.expression(each, context);
  switch (node.type) {
    case 'expression_statement':
      return named(node).flatMap((each) => statement(each, context));
    case 'assignment': {
      // Annotations in functions are not evaluated.
      const annotation = frame.kind === 'function' ? undefined : child(node, 'type');
      return [...metadata(annotation, context), ...assignment(node, context)];
    }
    case 'augmented_assignment':
      return augmentedAssignment(node, context);
    case 'import_statement':
      return importStatement(node, context);
    case 'import_from_statement':
      return importFrom(node, context);
    case 'decorated_definition': {
      const definition = child(node, 'definition');
      return definition ? define(definition, decoratorsOf(node), context) : [];
    }
    case 'function_definition':
    case 'class_definition':
      return define(node, [], context);
    case 'return_statement':
      return named(node).length === 0 ? LEAVES : named(node).flatMap((each) => returned(each, context));
    case 'raise_statement':
      return [...named(node).flatMap((each) => raise(each, context)), ...LEAVES];
    case 'break_statement':
    case 'continue_statement':
      return [{ kind: 'leave', by: node.type === 'break_statement' ? 'break' : 'continue' }];
    case 'global_statement':
    case 'nonlocal_statement': {
      const names = named(node).map((each) => lowering.textOf(each));
      for (const name of names) frame.outer.add(name);
      return [{ kind: 'outer', names, scope: node.type === 'global_statement' ? 'file' : 'function' }];
    }
    case 'type_alias_statement': {
      const [left, right] = named(node);
      const generic = left && ofType(left, 'generic_type');
      const name = left && (ofType(generic ?? left, 'identifier') ?? left);
      if (!name || !right) return [];
      const declared = typeParameters(generic && ofType(generic, 'type_parameter'), context);
      return [
        {
          kind: 'alias',
          ...lowering.at(name),
          name: lowering.textOf(name),
          ...(declared.length > 0 && { parameters: declared }),
          type: context.type(right, context),
          ...lowering.symbolAt(name),
        },
      ];
    }
    case 'if_statement':
      return ifStatement(node, context);
    case 'for_statement': {
      const target = child(node, 'left');
      const of = child(node, 'right');
      if (!target || !of) return [];
      const each: Statement = {
        kind: 'each',
        target: lower(target),
        of: lower(of),
        ...declares(target, context),
      };
      return [loop([each, ...bodyOf(node, context)], elseOf(node, context))];
    }
    case 'while_statement': {
      const condition = child(node, 'condition');
      const tested = condition ? lower(condition) : NONE;
      const test = evaluate(tested);
      const isEndless = tested.kind === 'literal' && tested.type === 'number' && tested.text !== '0';
      const rounds = loop([...bodyOf(node, context), ...test], elseOf(node, context));
      return [...test, isEndless ? { ...rounds, total: true } : rounds];
    }
    case 'try_statement':
      return tryStatement(node, context);
    case 'with_statement':
      return [
        ...named(node)
          .filter((each) => each.type === 'with_clause')
          .flatMap(named)
          .flatMap((each) => withItem(each, context)),
        ...bodyOf(node, context),
      ];
    case 'match_statement':
      return matchStatement(node, context);
    case 'block':
      return body(node, context);
    case 'pass_statement':
    case 'future_import_statement':
      return [];
    case 'delete_statement':
      return named(node).flatMap((each) => removal(each, context));
    case 'assert_statement':
    case 'print_statement':
    case 'exec_statement':
    case 'ERROR':
      return named(node).flatMap((each) =>
        node.type === 'ERROR' ? statement(each, context) : evaluate(lower(each)),
      );
    default:
      return evaluate(lower(node));
  }
}

function define(node: SyntaxNode, decorators: readonly SyntaxNode[], context: Context): Statement[] {
  if (node.type === 'class_definition')
    return [{ kind: 'class', class: classCode(node, decorators, context) }];
  const parameters = named(child(node, 'parameters') ?? NO_NODE);
  const annotations = [...parameters.map((each) => child(each, 'type')), child(node, 'return_type')];
  return [
    ...annotations.flatMap((each) => metadata(each, context)),
    { kind: 'function', function: functionCode(node, decorators, context) },
  ];
}

function bodyOf(node: SyntaxNode, context: Context): Statement[] {
  const block = child(node, 'body') ?? child(node, 'consequence') ?? ofType(node, 'block');
  return block ? body(block, context) : [];
}

/** The `else` of a loop or `try`. */
function elseOf(node: SyntaxNode, context: Context): Statement[] {
  const clause = ofType(node, 'else_clause');
  return clause ? bodyOf(clause, context) : [];
}

function loop(arm: readonly Statement[], otherwise: readonly Statement[]): Branch {
  return { kind: 'branch', arms: [arm], loop: true, ...(otherwise.length > 0 && { otherwise }) };
}

const LEAVES: Statement[] = [{ kind: 'leave', by: 'return' }];

/** Whether nothing runs after the statements. */
function leave(statements: readonly Statement[]): boolean {
  const last = statements.at(-1);
  if (last?.kind === 'branch') return last.total === true && !last.loop && last.arms.every(leave);
  return last?.kind === 'return' || last?.kind === 'leave';
}

/** `del a[b]` removes an element, `del a.b` an attribute (the operator `del.`): neither reads it. */
function removal(node: SyntaxNode, context: Context): Statement[] {
  if (node.type === 'expression_list' || node.type === 'tuple' || node.type === 'list')
    return named(node).flatMap((each) => removal(each, context));
  const value = context.expression(node, context);
  if (value.kind === 'member') {
    const name: Expression = { kind: 'literal', type: 'string', text: value.name };
    return evaluate(operation(node, [value.object, name], 'del.', context));
  }
  if (value.kind === 'slice') {
    const bounds = [value.from, value.to].filter((each) => each !== undefined);
    return evaluate(operation(node, [value.object, { kind: 'tuple', items: bounds }], 'del', context));
  }
  if (value.kind !== 'index') return [];
  return evaluate(operation(node, [value.object, value.key ?? NONE], 'del', context));
}

/** A class after `raise` is constructed: one that a name, an attribute or an index gives. */
function raise(node: SyntaxNode, context: Context): Statement[] {
  const value = context.expression(node, context);
  if (value.kind !== 'name' && value.kind !== 'member' && value.kind !== 'index') return evaluate(value);
  const at = context.lowering.at(node);
  return [
    {
      kind: 'evaluate',
      value: { kind: 'call', ...at, callee: value, arguments: [], constructs: true, implicit: true },
    },
  ];
}

/** Each of two values is returned where its condition holds. */
function returned(node: SyntaxNode, context: Context): Statement[] {
  const [value, condition, other] = named(node);
  if (node.type !== 'conditional_expression' || !value || !condition || !other) {
    const { tested } = context;
    const where = tested.length > 0 && { where: tested };
    return [{ kind: 'return', value: context.expression(node, context), ...where }];
  }
  const arm = (each: SyntaxNode, { context: inside, before }: Proved): Statement[] => [
    ...before,
    ...returned(each, inside),
  ];
  const arms = [arm(value, where(condition, true, context)), arm(other, where(condition, false, context))];
  return [...evaluate(context.expression(condition, context)), { kind: 'branch', arms, total: true }];
}

function ifStatement(node: SyntaxNode, context: Context): Statement[] {
  const clauses = [node, ...childrenIn(node, 'alternative')];
  const conditions: Statement[] = [];
  let proved: Proved = { context, before: [] };
  const arms = clauses.map((each) => {
    const { context: around, before } = proved;
    const condition = child(each, 'condition');
    if (!condition) return [...before, ...bodyOf(each, around)];
    conditions.push(...evaluate(context.expression(condition, context)));
    const [yes, no] = [where(condition, true, around), where(condition, false, around)];
    proved = { context: no.context, before: [...before, ...no.before].slice(0, MAX_FACTS) };
    return [...before, ...yes.before, ...bodyOf(each, yes.context)];
  });
  const { before } = proved;
  if (clauses.at(-1)?.type !== 'else_clause') {
    if (before.length === 0) return [...conditions, { kind: 'branch', arms }];
    arms.push([...before]);
  }
  return [...conditions, { kind: 'branch', arms, total: true }];
}

/** Handlers run after any part of the body. */
function tryStatement(node: SyntaxNode, context: Context): Statement[] {
  const run = bodyOf(node, context);
  const handlers = node.children.filter((each) => each.type.startsWith('except'));
  const last = ofType(node, 'finally_clause');
  const rest = [...elseOf(node, context), ...(leave(run) ? LEAVES : [])];
  const finish = last ? bodyOf(last, context) : [];
  const attempt = { attempt: true } as const;
  if (handlers.length === 0)
    return [{ kind: 'branch', arms: [[...run, ...rest]], total: true, ...attempt }, ...finish];
  const arms = [rest, ...handlers.map((each) => handler(each, context))];
  return [
    { kind: 'branch', arms: [run], ...attempt },
    { kind: 'branch', arms, total: true, ...(last && attempt) },
    ...finish,
  ];
}

function handler(node: SyntaxNode, context: Context): Statement[] {
  const caught = child(node, 'value');
  const [matched, alias] = caught?.type === 'as_pattern' ? named(caught) : [caught];
  const block = ofType(node, 'block');
  const target = alias && (named(alias)[0] ?? alias);
  const run = block ? body(block, context) : [];
  if (!matched) return run;
  if (!target) return [...evaluate(context.expression(matched, context)), ...run];
  const listed = matched.type === 'tuple' ? named(matched) : [matched];
  const types = listed.map((each): Type => context.type(each, context));
  const [only] = types;
  const each: Type = types.length === 1 && only ? only : { kind: 'union', of: types };
  const at = context.lowering.at(target);
  const type: Type = isOfGroups(node)
    ? { kind: 'named', path: ['ExceptionGroup'], arguments: [each], ...at }
    : each;
  return [assign(target, { kind: 'cast', value: NONE, type }, context), ...run];
}

/** `except*` catches groups of exceptions. */
function isOfGroups({ type, children }: SyntaxNode): boolean {
  return type === 'except_group_clause' || children.some((each) => each.type === '*');
}

function withItem(node: SyntaxNode, context: Context): Statement[] {
  const item = child(node, 'value');
  if (!item) return [];
  const [entered, alias] = item.type === 'as_pattern' ? named(item) : [item];
  if (!entered) return [];
  const value: Expression = { kind: 'enter', value: context.expression(entered, context) };
  const target = alias && (named(alias)[0] ?? alias);
  return target ? [assign(target, value, context)] : [{ kind: 'evaluate', value }];
}
