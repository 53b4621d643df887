import type { Import, Statement } from '../../../code.js';
import type { Lower, Lowering } from '../lowering.js';
import { withVariables } from '../pattern-variables.js';
import { named, ofType, type SyntaxNode } from '../syntax-node.js';
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

/** A statement after the variables of its patterns. They end with it, unless it is a guard. */
function statement(node: SyntaxNode, file: JavaFile): readonly Statement[] {
  const { lowered, declared } = withVariables(
    file,
    () => statementOf(node, file) ?? declarationOf(node, file) ?? otherNode(node, file),
  );
  if (declared.length === 0) return lowered;
  const body = [...declared, ...lowered];
  return endsScope(node, file.lowering) ? [{ kind: 'block', body }] : body;
}

/** Errors hold statements; other nodes are expressions. */
function otherNode(node: SyntaxNode, file: JavaFile): Statement[] {
  if (node.type === 'ERROR') return file.statements(named(node));
  const value = file.expression(node);
  return hasParts(value) ? [{ kind: 'evaluate', value }] : [];
}

/** Variables of `if (!(a instanceof B b)) return;` and of declarations stay visible for later statements. */
function endsScope(node: SyntaxNode, lowering: Lowering): boolean {
  if (node.type === 'local_variable_declaration') return false;
  return node.type !== 'if_statement' || !/^if\s*\(\s*!/.test(lowering.textOf(node));
}

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
