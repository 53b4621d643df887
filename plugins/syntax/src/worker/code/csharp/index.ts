import type { Import, Statement } from '../../../code.js';
import type { Lower, Lowering } from '../lowering.js';
import { withVariables } from '../pattern-variables.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { hasParts } from '../values.js';
import { nameText, parts, type CSharpFile } from './context.js';
import { withExpectedType } from './creations.js';
import { declarationOf } from './declarations.js';
import { expressionOf } from './expressions.js';
import { memberOf } from './members.js';
import { blockBody, statementOf } from './statements.js';
import { typeOf } from './types.js';

/** The code of a C# file. Its only namespace is its package. */
export const lowerCSharp: Lower = (root, lowering) => {
  const patternVariables: Statement[] = [];
  const file: CSharpFile = {
    lowering,
    patternVariables,
    results: [],
    expression: (node) => expressionOf(node, file),
    expressions: (nodes) => nodes.map((node) => expressionOf(node, file)),
    statement: (node) => statement(node, file),
    statements: (nodes) => nodes.flatMap((node) => statement(node, file)),
    body: (node) => body(node, file),
  };
  const top = unfolded(named(root));
  const namespaces = top.filter((node) => node.type.endsWith('namespace_declaration'));
  const [only] = namespaces;
  const name = only && namespaces.length === 1 ? child(only, 'name') : undefined;
  if (only && name) lowering.define(lowering.symbolAt(name).symbol, { exported: true });
  const flat = top.flatMap((node) => (name && node === only ? unfolded(membersOf(node)) : [node]));
  return {
    ...(name && { package: lowering.textOf(name).replaceAll(/\s+/g, '') }),
    body: flat.flatMap((node) =>
      node.type === 'using_directive' ? usingDirective(node, lowering) : statement(node, file),
    ),
  };
};

/** The nodes, with those in branches of the preprocessor instead of these. */
function unfolded(nodes: readonly SyntaxNode[]): SyntaxNode[] {
  return nodes.flatMap((node) =>
    /^preproc_(?:if|elif|else)$/.test(node.type)
      ? unfolded(named(node).filter((each) => each.field !== 'condition'))
      : [node],
  );
}

function membersOf(namespace: SyntaxNode): SyntaxNode[] {
  const block = child(namespace, 'body');
  return block ? named(block) : named(namespace).filter((each) => each.field !== 'name');
}

/** A statement after the variables of its patterns. Those of a loop end with it. */
function statement(node: SyntaxNode, file: CSharpFile): readonly Statement[] {
  const { lowered, declared } = withVariables(
    file,
    () =>
      statementOf(node, file) ?? memberOf(node, file) ?? declarationOf(node, file) ?? otherNode(node, file),
  );
  if (declared.length === 0) return lowered;
  const body = [...declared, ...lowered];
  return /^(?:while|do|for|foreach|using|lock)_statement$/.test(node.type) ? [{ kind: 'block', body }] : body;
}

/** Branches of the preprocessor and errors hold statements; the rest are expressions. */
function otherNode(node: SyntaxNode, file: CSharpFile): Statement[] {
  if (/^(?:ERROR|declaration_list|preproc_if|preproc_else|preproc_elif|preproc_if_in_.*)$/.test(node.type)) {
    return file.statements(named(node).filter((each) => each.field !== 'condition'));
  }
  if (/^(?:using_directive|preproc_.*|attribute_list|empty_statement|comment|modifier)$/.test(node.type))
    return [];
  const value = file.expression(node);
  return hasParts(value) ? [{ kind: 'evaluate', value }] : [];
}

function body(node: SyntaxNode, file: CSharpFile): Statement[] {
  if (node.type === 'block') return blockBody(node, file);
  const [first] = node.type === 'arrow_expression_clause' ? parts(node) : [node];
  const { lowered: value, declared } = withVariables(
    file,
    () => first && withExpectedType(file.expression(first), first, file.results.at(-1), file),
  );
  return [...declared, ...(value ? [{ kind: 'return' as const, value }] : [])];
}

/** `using A.B`, `using static A.B`, `using C = A.B`, `using C = A<B>`, each of them `global` too. */
function usingDirective(node: SyntaxNode, lowering: Lowering): Statement[] {
  const local = child(node, 'name');
  const target = named(node).findLast((each) => each !== local);
  if (!target) return [];
  const at = lowering.at(target);
  const isStatic = node.children.some((each) => each.type === 'static') ? { static: true as const } : {};
  const isGlobal = node.children.some((each) => each.type === 'global') ? { everywhere: true as const } : {};
  const path = lowering.textOf(target).replaceAll(/\s+|^global::/g, '');
  if (!local) return [{ kind: 'import', form: 'wildcard', module: path, ...isStatic, ...isGlobal, ...at }];
  const name = nameText(local, lowering);
  if (!/^[\w.@]+$/.test(path) || ofType(node, 'predefined_type')) {
    return [{ kind: 'alias', name, type: typeOf(target, lowering), ...lowering.at(local) }];
  }
  const dot = path.lastIndexOf('.');
  const named_: Import = {
    kind: 'import',
    form: 'named',
    module: path.slice(0, Math.max(dot, 0)),
    name: path.slice(dot + 1),
    local: name,
    ...isGlobal,
    ...at,
  };
  return [named_];
}
