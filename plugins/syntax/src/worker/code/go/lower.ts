import type { FunctionCode, Import, Parameter, Statement } from '../../../code.js';
import type { Lower, Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';
import { buildConstraint } from './build-constraint.js';
import { isExported, ownerName } from './declarations.js';
import { GoStatements } from './statements.js';
import { BLANK } from './types.js';

/** Go as code. A package is all files of a directory with its `package` clause. */
export const lowerGo: Lower = (root, lowering) => {
  const go = new GoStatements(lowering);
  const clause = ofType(root, 'package_clause');
  const [name] = clause ? named(clause) : [];
  const constraint = clause && buildConstraint(lowering.text.slice(0, clause.start));
  return {
    ...(name && { package: lowering.textOf(name) }),
    ...(constraint !== undefined && { constraint }),
    body: named(root).flatMap((node) => topLevel(node, lowering, go)),
  };
};

function topLevel(node: SyntaxNode, lowering: Lowering, go: GoStatements): Statement[] {
  switch (node.type) {
    case 'import_declaration':
      return named(node)
        .flatMap((each) => (each.type === 'import_spec_list' ? named(each) : [each]))
        .flatMap((spec) => importSpec(spec, lowering));
    case 'function_declaration':
      return functionOf(node, lowering, go, undefined);
    case 'method_declaration':
      return functionOf(node, lowering, go, child(node, 'receiver'));
    case 'type_declaration':
      return go.declarations.types(node);
    case 'var_declaration':
      return go.declarations.variables(node);
    case 'const_declaration':
      return go.declarations.constants(node);
    default:
      return [];
  }
}

/** An import without an alias has the name of the package, which its files declare. */
function importSpec(spec: SyntaxNode, lowering: Lowering): Import[] {
  const path = child(spec, 'path');
  if (!path) return [];
  const alias = child(spec, 'name');
  const own = { kind: 'import', ...lowering.at(path), module: lowering.textOf(path).slice(1, -1) } as const;
  if (alias?.type === 'dot') return [{ ...own, form: 'wildcard' }];
  if (alias?.type === 'blank_identifier') return [{ ...own, form: 'load' }];
  return [{ ...own, form: 'namespace', ...(alias && { local: lowering.textOf(alias) }) }];
}

function functionOf(
  node: SyntaxNode,
  lowering: Lowering,
  go: GoStatements,
  receiverList: SyntaxNode | undefined,
): Statement[] {
  const name = child(node, 'name');
  if (!name) return [];
  const signature = go.types.signature(node, name);
  const body = child(node, 'body');
  const receiver = receiverList && named(receiverList)[0];
  const type = receiver && child(receiver, 'type');
  const text = lowering.textOf(name);
  const ownerExported = !type || isExported(ownerName(lowering, type));
  lowering.define(signature.symbol, {
    exported: isExported(text) && ownerExported,
    test:
      !type &&
      lowering.path.endsWith('_test.go') &&
      /^(?:Test|Benchmark|Fuzz|Example)(?:\P{Ll}|$)/u.test(text),
  });
  const method = receiver && type ? receiverOf(receiver, type, go) : {};
  const code: FunctionCode = {
    ...signature,
    ...method,
    ...(body && { body: go.expressions.body(body, child(node, 'result')) }),
  };
  return [{ kind: 'function', function: code }];
}

/** The names in the brackets of a generic receiver are type parameters of the method: those of its type, in order. */
function receiverOf(
  receiver: SyntaxNode,
  type: SyntaxNode,
  go: GoStatements,
): Pick<FunctionCode, 'receiver' | 'owner' | 'types'> {
  const name = child(receiver, 'name');
  const lowered = go.types.type(type);
  const owner = lowered.kind === 'wrapper' ? lowered.of : lowered;
  const given = owner.kind === 'named' ? (owner.arguments ?? []) : [];
  const types = given.flatMap((each) => (each.kind === 'named' ? [{ name: each.path.join('.') }] : []));
  const parameter: Parameter = { target: name ? go.types.target(name) : BLANK, type: lowered };
  return { receiver: parameter, owner, ...(types.length > 0 && { types }) };
}
