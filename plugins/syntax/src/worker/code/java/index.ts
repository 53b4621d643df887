import type { Import, Statement } from '../../../code.js';
import type { Lower, Lowering } from '../lowering.js';
import { withVariables } from '../pattern-variables.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { hasParts } from '../values.js';
import type { JavaFile } from './context.js';
import { declarationOf } from './declarations.js';
import { expressionOf } from './expressions.js';
import { statementOf } from './statements.js';

/** The code of a Java file. */
export const lowerJava: Lower = (root, lowering) => {
  const patternVariables: Statement[] = [];
  const file: JavaFile = {
    lowering,
    patternVariables,
    expression: (node) => expressionOf(node, file),
    expressions: (nodes) => nodes.filter(isExpression).map((node) => expressionOf(node, file)),
    statement: (node) => statement(node, file),
    statements: (nodes) => nodes.flatMap((node) => statement(node, file)),
  };
  const declaration = ofType(root, 'package_declaration');
  const name = declaration && ofType(declaration, 'scoped_identifier', 'identifier');
  return {
    ...(name && { package: dotted(name, lowering) }),
    body: named(root).flatMap((node) => {
      if (node.type === 'package_declaration') return [];
      return node.type === 'import_declaration' ? importOf(node, lowering) : statement(node, file);
    }),
  };
};

/** A declaration in the value of an expression has its own place in the code. */
function isExpression(node: SyntaxNode): boolean {
  return !node.comment && node.type !== 'modifiers' && !node.type.endsWith('annotation');
}

/** A statement after the variables of its patterns. They end with it, but for a declaration and a guard. */
function statement(node: SyntaxNode, file: JavaFile): readonly Statement[] {
  const { lowered, declared } = withVariables(
    file,
    () => statementOf(node, file) ?? declarationOf(node, file) ?? otherNode(node, file),
  );
  if (declared.length === 0) return lowered;
  const body = [...declared, ...lowered];
  const isKept = node.type === 'local_variable_declaration' || isGuard(node);
  return isKept ? body : [{ kind: 'block', body }];
}

/** Errors hold statements; other nodes are expressions. */
function otherNode(node: SyntaxNode, file: JavaFile): Statement[] {
  if (node.type === 'ERROR') return file.statements(named(node));
  const value = file.expression(node);
  return hasParts(value) ? [{ kind: 'evaluate', value }] : [];
}

/** `if (a == null || !(a instanceof B b)) return;`: its variables are visible for later statements. */
function isGuard(node: SyntaxNode): boolean {
  return (
    node.type === 'if_statement' &&
    declaresWhere(child(node, 'condition'), false) &&
    leaves(child(node, 'consequence'))
  );
}

/** Whether a pattern is matched where a condition holds, or where it does not. */
function declaresWhere(node: SyntaxNode | undefined, holds: boolean): boolean {
  if (node?.type === 'parenthesized_expression') return declaresWhere(named(node)[0], holds);
  const operator = node && child(node, 'operator')?.type;
  if (node?.type === 'unary_expression')
    return operator === '!' && declaresWhere(child(node, 'operand'), !holds);
  if (node?.type === 'binary_expression' && operator === (holds ? '&&' : '||'))
    return ['left', 'right'].some((side) => declaresWhere(child(node, side), holds));
  return node?.type === 'instanceof_expression' && holds;
}

/** Whether what stands behind a statement is not run after it. */
function leaves(node: SyntaxNode | undefined): boolean {
  if (!node) return false;
  switch (node.type) {
    case 'block':
      return leaves(named(node).at(-1));
    case 'if_statement':
      return ['consequence', 'alternative'].every((arm) => leaves(child(node, arm)));
    case 'synchronized_statement':
    case 'try_statement':
    case 'try_with_resources_statement':
      return leaves(child(node, 'body'));
    default:
      return LEAVING.has(node.type);
  }
}

const LEAVING: ReadonlySet<string> = new Set([
  'return_statement',
  'throw_statement',
  'continue_statement',
  'break_statement',
  'yield_statement',
]);

function dotted(node: SyntaxNode, lowering: Lowering): string {
  return lowering.textOf(node).replaceAll(/\s+/g, '');
}

/** `import a.B`, `import a.*`, `import static a.B.c`, `import static a.B.*`. */
function importOf(node: SyntaxNode, lowering: Lowering): Import[] {
  const name = ofType(node, 'scoped_identifier', 'identifier');
  if (!name) return [];
  const path = dotted(name, lowering);
  const isStatic = node.children.some((each) => each.type === 'static') ? { static: true as const } : {};
  const at = lowering.at(name);
  if (ofType(node, 'asterisk'))
    return [{ kind: 'import', form: 'wildcard', module: path, ...isStatic, ...at }];
  const dot = path.lastIndexOf('.');
  const local = path.slice(dot + 1);
  const module = path.slice(0, Math.max(dot, 0));
  return [{ kind: 'import', form: 'named', module, name: local, local, ...isStatic, ...at }];
}
