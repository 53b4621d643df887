import type { Expression, Statement } from '../../../code.js';
import { child, childrenIn, named, type SyntaxNode } from '../syntax-node.js';
import { UNKNOWN } from '../values.js';
import type { JavaFile } from './context.js';
import { argumentsOf } from './creations.js';
import { assignYielded, switchStatement } from './switches.js';
import { tryStatement } from './try.js';
import { optionalType, typeArguments, typeOf, withDimensions } from './types.js';

/** A statement, without the variables that its patterns declare. Undefined for other nodes. */
export function statementOf(node: SyntaxNode, file: JavaFile): readonly Statement[] | undefined {
  switch (node.type) {
    case 'expression_statement':
      return expressionStatement(node, file);
    case 'local_variable_declaration':
      return variables(node, file);
    case 'block':
    case 'constructor_body':
      return [{ kind: 'block', body: file.statements(named(node)) }];
    case 'static_initializer':
      return file.statements(named(node));
    case 'return_statement':
      return named(node).map((each) => ({ kind: 'return', value: file.expression(each) }));
    case 'yield_statement':
      return [assignYielded(node, file)];
    case 'if_statement':
      return ifStatement(node, file);
    case 'while_statement':
    case 'do_statement':
      return [...evaluate(guards(node), file), loop(inField(node, 'body', file))];
    case 'synchronized_statement':
      return [...evaluate(guards(node), file), ...inField(node, 'body', file)];
    case 'for_statement':
      return forStatement(node, file);
    case 'enhanced_for_statement':
      return forEach(node, file);
    case 'switch_expression':
      return switchStatement(node, file);
    case 'try_statement':
    case 'try_with_resources_statement':
      return tryStatement(node, file);
    case 'catch_clause':
      return catchClause(node, file);
    case 'resource':
      return [resource(node, file)];
    case 'explicit_constructor_invocation':
      return [{ kind: 'evaluate', value: otherConstructor(node, file) }];
    case 'labeled_statement':
      return file.statements(named(node).slice(1));
    case 'throw_statement':
    case 'assert_statement':
      return evaluate(named(node), file);
    default:
      return undefined;
  }
}

function evaluate(nodes: readonly SyntaxNode[], file: JavaFile): Statement[] {
  return file.expressions(nodes).map((value) => ({ kind: 'evaluate', value }));
}

function inField(node: SyntaxNode, field: string, file: JavaFile): readonly Statement[] {
  const found = child(node, field);
  return found ? file.statement(found) : [];
}

function loop(round: readonly Statement[]): Statement {
  return { kind: 'branch', arms: [round], loop: true };
}

/** The conditions and locks in parentheses before a body. */
function guards(node: SyntaxNode): SyntaxNode[] {
  return named(node).filter((each) => each.type === 'parenthesized_expression');
}

function expressionStatement(node: SyntaxNode, file: JavaFile): Statement[] {
  return named(node).map((each): Statement => {
    const value = file.expression(each);
    return value.kind === 'assign' ? value : { kind: 'evaluate', value };
  });
}

/** `A a = b, c[]`: of local variables, fields and constants. */
export function variables(
  node: SyntaxNode,
  file: JavaFile,
  properties: (name: SyntaxNode) => { readonly symbol?: number; readonly static?: true } = () => ({}),
): Statement[] {
  const { lowering } = file;
  const { type } = optionalType(child(node, 'type'), lowering);
  return childrenIn(node, 'declarator').flatMap((declarator): Statement[] => {
    const name = child(declarator, 'name');
    const value = child(declarator, 'value');
    if (!name) return [];
    return [
      {
        kind: 'declare',
        name: lowering.textOf(name),
        ...(type && { type: withDimensions(type, child(declarator, 'dimensions')) }),
        ...(value && { value: file.expression(value) }),
        ...properties(name),
        ...lowering.at(name),
      },
    ];
  });
}

function ifStatement(node: SyntaxNode, file: JavaFile): Statement[] {
  const condition = child(node, 'condition');
  const alternative = child(node, 'alternative');
  const first = evaluate(condition ? [condition] : [], file);
  const taken = [...inField(node, 'consequence', file)];
  const arms = alternative ? [taken, [...file.statement(alternative)]] : [taken];
  return [...first, { kind: 'branch', arms, ...(alternative && { total: true }) }];
}

function forStatement(node: SyntaxNode, file: JavaFile): Statement[] {
  const start = childrenIn(node, 'init').flatMap((each) =>
    each.type === 'local_variable_declaration' ? variables(each, file) : evaluate([each], file),
  );
  const condition = evaluate(childrenIn(node, 'condition'), file);
  const round = [...inField(node, 'body', file), ...evaluate(childrenIn(node, 'update'), file)];
  return [{ kind: 'block', body: [...start, ...condition, loop(round)] }];
}

function forEach(node: SyntaxNode, file: JavaFile): Statement[] {
  const { lowering } = file;
  const name = child(node, 'name');
  const collection = child(node, 'value');
  if (!name || !collection) return [...inField(node, 'body', file)];
  const { type } = optionalType(child(node, 'type'), lowering);
  const target: Expression = { kind: 'name', name: lowering.textOf(name), ...lowering.at(name) };
  const round: Statement[] = [
    ...(type ? [{ kind: 'declare' as const, type, name: target.name, ...lowering.at(name) }] : []),
    { kind: 'each', target, of: file.expression(collection), ...(!type && { declares: true as const }) },
    ...inField(node, 'body', file),
  ];
  return [{ kind: 'block', body: [loop(round)] }];
}

function catchClause(node: SyntaxNode, file: JavaFile): Statement[] {
  const { lowering } = file;
  const parameter = named(node).find((each) => each.type === 'catch_formal_parameter');
  const name = parameter && child(parameter, 'name');
  const type = parameter && named(parameter).find((each) => each.type === 'catch_type');
  const declared: Statement[] =
    name && type
      ? [{ kind: 'declare', name: lowering.textOf(name), type: typeOf(type, lowering), ...lowering.at(name) }]
      : [];
  return [{ kind: 'block', body: [...declared, ...inField(node, 'body', file)] }];
}

function resource(node: SyntaxNode, file: JavaFile): Statement {
  const { lowering } = file;
  const name = child(node, 'name');
  const value = child(node, 'value');
  const given = value && file.expression(value);
  if (!name) return { kind: 'evaluate', value: given ?? UNKNOWN };
  return {
    kind: 'declare',
    name: lowering.textOf(name),
    ...optionalType(child(node, 'type'), lowering),
    ...(given && { value: given }),
    ...lowering.at(name),
  };
}

/** `this(…)`, `super(…)`. */
function otherConstructor(node: SyntaxNode, file: JavaFile): Expression {
  const { lowering } = file;
  const constructor = child(node, 'constructor');
  const at = lowering.at(constructor ?? node);
  return {
    kind: 'call',
    callee: constructor?.type === 'this' ? { kind: 'this' } : { kind: 'super' },
    constructs: true,
    arguments: argumentsOf(child(node, 'arguments'), file),
    ...typeArguments(child(node, 'type_arguments'), lowering),
    ...at,
  };
}
