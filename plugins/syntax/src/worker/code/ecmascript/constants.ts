import type { Lowering } from '../lowering.js';
import { child, named, ofType, type SyntaxNode } from '../syntax-node.js';

/** Keys by the names of constants that hold them, as {@link constantsOf} finds them. */
export interface Constants {
  readonly values: ReadonlyMap<string, string>;
  /** Starts of names that mean a parameter or a variable of an inner scope instead. */
  readonly hidden: ReadonlySet<number>;
}

/**
 * Strings that constants of the file's scope hold, and those of object literals in them: `RUN`, `KEYS.run`. A symbol is the
 * key `[RUN]`, after the constant that holds it.
 */
export function constantsOf(root: SyntaxNode, lowering: Lowering): Constants {
  const constants = new Map<string, string>();
  const add = (name: string, value: SyntaxNode | undefined): void => {
    if (value?.type === 'string') constants.set(name, lowering.textOf(value).slice(1, -1));
    else if (value && isSymbol(value, lowering)) constants.set(name, `[${name}]`);
  };
  for (const statement of named(root)) {
    const declaration = statement.type === 'export_statement' ? child(statement, 'declaration') : statement;
    if (declaration?.type !== 'lexical_declaration' || !ofType(declaration, 'const')) continue;
    for (const each of named(declaration)) {
      const name = child(each, 'name');
      const value = child(each, 'value');
      if (name?.type !== 'identifier' || !value) continue;
      // `{ … } as const`
      const object = value.type === 'as_expression' ? named(value)[0] : value;
      add(lowering.textOf(name), object);
      for (const pair of object?.type === 'object' ? named(object) : []) {
        const key = pair.type === 'pair' ? child(pair, 'key') : undefined;
        if (key?.type === 'property_identifier')
          add(`${lowering.textOf(name)}.${lowering.textOf(key)}`, child(pair, 'value'));
      }
    }
  }
  return { values: constants, hidden: hiddenNames(root, constants, lowering) };
}

/** `Symbol('a')`, `Symbol.for('a')` */
function isSymbol(value: SyntaxNode, lowering: Lowering): boolean {
  const callee = value.type === 'call_expression' ? child(value, 'function') : undefined;
  return callee !== undefined && /^Symbol(?:\.for)?$/.test(lowering.textOf(callee));
}

/** Nodes whose variables end with them. */
const SCOPES: ReadonlySet<string> = new Set([
  'arrow_function',
  'catch_clause',
  'class_body',
  'for_in_statement',
  'for_statement',
  'function_declaration',
  'function_expression',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
  'statement_block',
  'switch_body',
]);

function hiddenNames(
  root: SyntaxNode,
  constants: ReadonlyMap<string, string>,
  lowering: Lowering,
): ReadonlySet<number> {
  const hidden = new Set<number>();
  const names = new Set(Array.from(constants.keys(), (each) => each.replace(/\..*/s, '')));
  const bound = new Map<string, number>(); // how many of the scopes around the node bind the name
  const visit = (node: SyntaxNode, scope: string[] | undefined): void => {
    const inner = SCOPES.has(node.type) ? [] : scope;
    for (const target of inner ? targetsOf(node).flatMap(namesIn) : []) {
      const name = lowering.textOf(target);
      if (!names.has(name)) continue;
      inner?.push(name);
      bound.set(name, (bound.get(name) ?? 0) + 1);
    }
    if (node.type === 'identifier' && bound.get(lowering.textOf(node))) hidden.add(node.start);
    for (const each of node.children) visit(each, inner);
    if (inner !== scope) for (const name of inner ?? []) bound.set(name, (bound.get(name) ?? 0) - 1);
  };
  if (names.size > 0) visit(root, undefined);
  return hidden;
}

/** The patterns that a node assigns new variables to. */
function targetsOf(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'formal_parameters') return named(node);
  const field = BINDING_FIELDS.get(node.type);
  const target = field && child(node, field);
  return target ? [target] : [];
}

const BINDING_FIELDS: ReadonlyMap<string, string> = new Map([
  ['arrow_function', 'parameter'],
  ['catch_clause', 'parameter'],
  ['for_in_statement', 'left'],
  ['variable_declarator', 'name'],
]);

/** Where a node of a pattern holds another; other nodes of patterns hold them as children. */
const INNER_FIELDS: ReadonlyMap<string, string> = new Map([
  ['assignment_pattern', 'left'],
  ['object_assignment_pattern', 'left'],
  ['optional_parameter', 'pattern'],
  ['pair_pattern', 'value'],
  ['required_parameter', 'pattern'],
]);

function namesIn(pattern: SyntaxNode): SyntaxNode[] {
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern')
    return [pattern];
  const field = INNER_FIELDS.get(pattern.type);
  const inner = field ? [child(pattern, field)] : named(pattern);
  return inner.flatMap((each) => (each ? namesIn(each) : []));
}
