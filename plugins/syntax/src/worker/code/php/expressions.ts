import type { Argument, Entry, Expression, Literal, Statement } from '../../../code.js';
import { child, named, NO_NODE, ofType, type SyntaxNode } from '../syntax-node.js';
import { held, literalOf, withHeld } from '../values.js';
import { withCallables } from './callables.js';
import { after, conditionalOf, shortCircuit } from './conditions.js';
import { CONSTRUCTS, constructOf } from './constructs.js';
import type { Php } from './context.js';
import { includedPath } from './includes.js';
import { constructedOf, nameOf, scopeOf, variableOf } from './names.js';
import { provedProperty } from './narrowing.js';
import { writing, writtenOf } from './text.js';

type ToExpression = (php: Php, node: SyntaxNode) => Expression;

const EXPRESSIONS: Readonly<Record<string, ToExpression>> = {
  variable_name: variableOf,
  name: nameOf,
  qualified_name: nameOf,
  relative_name: nameOf,
  relative_scope: scopeOf,
  integer: (php, node) => literal('number', php.lowering.textOf(node)),
  float: () => literal('number'),
  boolean: () => literal('boolean'),
  null: () => literal('null'),
  string: (php, node) => literal('string', php.lowering.text.slice(node.start + 1, node.end - 1)),
  encapsed_string: (php, node) => {
    const parts = named(node).filter(({ type }) => type !== 'string_content' && type !== 'escape_sequence');
    if (parts.length > 0) return writtenOf(php, parts);
    return literal('string', php.lowering.text.slice(node.start + 1, node.end - 1));
  },
  function_call_expression: (php, node) => {
    const callee = child(node, 'function') ?? node;
    const name = php.lowering.textOf(callee);
    if (CONSTRUCTS.has(name)) {
      const values = php.arguments(child(node, 'arguments')).map(({ value }) => value);
      return constructOf(php, node, name, values);
    }
    const called = php.expression(callee);
    // `$this(…)` calls the object; the constructor is not called in this way.
    const invoked: Expression =
      called.kind === 'this'
        ? { kind: 'member', ...php.lowering.at(callee), object: called, name: '__invoke' }
        : called;
    return withCallables(call(php, node, callee, invoked), name, php.lowering.at(callee));
  },
  member_call_expression: methodCall,
  nullsafe_member_call_expression: methodCall,
  scoped_call_expression: methodCall,
  object_creation_expression: (php, node) => {
    const [made] = named(node);
    const isClass = made?.type === 'anonymous_class';
    return {
      kind: 'call',
      ...php.lowering.at(node),
      callee: isClass
        ? { kind: 'class', class: php.classStatement(made).class }
        : made
          ? constructedOf(php, made)
          : literal('null'),

      arguments: php.arguments(ofType(isClass ? made : node, 'arguments')),
      constructs: true,
    };
  },
  member_access_expression: (php, node) => provedProperty(php, node, propertyOf(php, node)),
  nullsafe_member_access_expression: propertyOf,
  scoped_property_access_expression: propertyOf,
  class_constant_access_expression: (php, node) => {
    const [scope, name] = named(node);
    if (!scope || !name) return operation(php, named(node));
    const object = scopeOf(php, scope);
    const text = php.lowering.textOf(name);
    if (text.toLowerCase() !== 'class')
      return { kind: 'member', ...php.lowering.at(name), object, name: text };
    return scope.type === 'variable_name' ? { kind: 'operation', of: [object] } : object;
  },
  subscript_expression: (php, node) => {
    const [object, key] = named(node);
    if (!object) return operation(php, []);
    return { kind: 'index', object: php.expression(object), ...(key && { key: php.expression(key) }) };
  },
  array_creation_expression: arrayOf,
  list_literal: arrayOf,
  variadic_unpacking: (php, node) => ({ kind: 'spread', value: first(php, node), of: 'list' }),
  anonymous_function: (php, node) => ({ kind: 'function', function: php.function(node) }),
  arrow_function: (php, node) => ({ kind: 'function', function: php.function(node) }),
  assignment_expression: assignmentOf,
  reference_assignment_expression: assignmentOf,
  heredoc: (php, node) => writtenOf(php, named(child(node, 'value') ?? NO_NODE)),
  cast_expression: (php, node) => writing(php, node) ?? operation(php, named(node)),
  print_intrinsic: (php, node) => writtenOf(php, named(node)),
  augmented_assignment_expression: (php, node) =>
    child(node, 'operator')?.type === '??='
      ? assignmentOf(php, node)
      : (writing(php, node) ?? operation(php, [child(node, 'left'), child(node, 'right')])),
  conditional_expression: conditionalOf,
  binary_expression: (php, node) => {
    const short = shortCircuit(php, node) ?? writing(php, node);
    if (short) return short;
    const parts = operation(php, [child(node, 'left'), child(node, 'right')]);
    return child(node, 'operator')?.type === '??' ? { kind: 'choice', of: parts.of } : parts;
  },
  match_expression: (php, node) => {
    const condition = child(node, 'condition');
    const arms = named(child(node, 'body') ?? node);
    const conditions = arms.flatMap((arm) =>
      named(child(arm, 'conditional_expressions') ?? { ...arm, children: [] }),
    );
    const of = arms.flatMap((arm) => {
      const value = child(arm, 'return_expression');
      return value ? [php.expression(value)] : [];
    });
    const evaluated = [...(condition ? [condition] : []), ...conditions].map((each) => php.expression(each));
    return after(evaluated, { kind: 'choice', of });
  },
  parenthesized_expression: first,
  clone_expression: (php, node) => {
    const before: Statement[] = [];
    const value = held(first(php, node), node, php.lowering, before);
    const operator = { name: 'clone', ...php.lowering.at(node) };
    before.push({ kind: 'evaluate', value: { kind: 'operation', of: [value], operator } });
    return withHeld(before, value);
  },
  error_suppression_expression: first,
  by_ref: first,
  yield_expression: (php, node) => {
    const value = named(node)[0];
    const from = node.children.some(({ type }) => type === 'from' || type === 'yield from');
    return {
      kind: 'yield',
      value: value?.type === 'array_element_initializer' ? pairValue(php, value) : first(php, node),
      ...(from && { from: true }),
    };
  },
  include_expression: includeOf,
  include_once_expression: includeOf,
  require_expression: includeOf,
  require_once_expression: includeOf,
};

export function expressionOf(php: Php, node: SyntaxNode): Expression {
  const lower = Object.hasOwn(EXPRESSIONS, node.type) ? EXPRESSIONS[node.type] : undefined;
  return lower ? lower(php, node) : operation(php, named(node));
}

export function isExpression({ type }: SyntaxNode): boolean {
  return Object.hasOwn(EXPRESSIONS, type) || /_(?:expression|intrinsic)$|^heredoc$/.test(type);
}

export function argumentsOf(php: Php, node: SyntaxNode | undefined): Argument[] {
  return named(node ?? NO_NODE).map((each) => {
    const name = each.type === 'argument' ? child(each, 'name') : undefined;
    const value = named(each).findLast(({ field }) => field !== 'name');
    return {
      ...(name && { name: php.lowering.textOf(name) }),
      value:
        callable(php, value) ??
        (value && each.type === 'argument' ? php.expression(value) : php.expression(each)),
    };
  });
}

function first(php: Php, node: SyntaxNode): Expression {
  const inner = named(node)[0];
  return inner ? php.expression(inner) : literal('null');
}

function literal(type: Literal['type'], text = ''): Literal {
  return literalOf(type, text);
}

function operation(
  php: Php,
  nodes: ReadonlyArray<SyntaxNode | undefined>,
): Expression & { readonly kind: 'operation' } {
  const of = nodes.flatMap((each) => (each ? php.expression(each) : []));
  return { kind: 'operation', of: of.filter(({ kind }) => kind !== 'literal') };
}

/** A call; `f(...)` is the function itself. */
function call(php: Php, node: SyntaxNode, name: SyntaxNode, callee: Expression): Expression {
  const args = child(node, 'arguments');
  if (args && ofType(args, 'variadic_placeholder')) return callee;
  return { kind: 'call', ...php.lowering.at(name), callee, arguments: php.arguments(args) };
}

function methodCall(php: Php, node: SyntaxNode): Expression {
  const name = child(node, 'name') ?? node;
  return call(
    php,
    node,
    name,
    memberOf(php, node, name.type === 'name' ? php.lowering.textOf(name) : undefined),
  );
}

/** Properties keep their sigil: a property and a method may have one name. */
function propertyOf(php: Php, node: SyntaxNode): Expression {
  const name = child(node, 'name') ?? node;
  const text = php.lowering.textOf(name);
  const isStatic = node.type === 'scoped_property_access_expression';
  const known = isStatic ? name.type === 'variable_name' : name.type === 'name';
  return memberOf(php, node, known ? `$${text.replace(/^\$/, '')}` : undefined);
}

/** A member of an object or class; an index if its name is computed. */
function memberOf(php: Php, node: SyntaxNode, member: string | undefined): Expression {
  const scope = child(node, 'object') ?? child(node, 'scope') ?? node;
  const name = child(node, 'name') ?? node;
  const object = scopeOf(php, scope);
  if (member !== undefined) return { kind: 'member', ...php.lowering.at(name), object, name: member };
  return { kind: 'index', object, key: php.expression(name) };
}

function assignmentOf(php: Php, node: SyntaxNode): Expression & { readonly kind: 'assign' } {
  const [left = node, right = node] = [child(node, 'left'), child(node, 'right')];
  return { kind: 'assign', target: php.expression(left), value: php.expression(right) };
}

/** A list, or an object where elements have keys. */
function arrayOf(php: Php, node: SyntaxNode): Expression {
  const elements =
    node.type === 'list_literal' ? listElements(node) : named(node).map((each) => elementOf(each));
  if (!elements.some(({ key }) => key)) {
    return {
      kind: 'list',
      items: elements.map(({ value }) => (value ? php.expression(value) : literal('null'))),
    };
  }
  return {
    kind: 'object',
    entries: elements.map(({ key, value }): Entry => ({
      ...(key && { key: php.expression(key) }),
      value: value ? php.expression(value) : literal('null'),
    })),
  };
}

interface Element {
  readonly key?: SyntaxNode;
  readonly value?: SyntaxNode;
}

function elementOf(node: SyntaxNode): Element {
  const [key, value] = named(node);
  if (node.type !== 'array_element_initializer') return { value: node };
  return value && key ? { key, value } : { ...(key && { value: key }) };
}

/** `[$a, 'k' => $b, , $c]`: elements are told apart by commas. */
function listElements(node: SyntaxNode): Element[] {
  const elements: SyntaxNode[][] = [[]];
  for (const each of node.children) {
    if (each.type === ',') elements.push([]);
    else if (each.named && each.type !== 'comment') elements.at(-1)?.push(each);
  }
  if (elements.length > 1 && elements.at(-1)?.length === 0) elements.pop();
  return elements.map(([key, value]) => (value && key ? { key, value } : { ...(key && { value: key }) }));
}

function pairValue(php: Php, node: SyntaxNode): Expression {
  const { value = node } = elementOf(node);
  return php.expression(value);
}

/** `[$this, 'method']`, `[User::class, 'find']` as an argument: the method itself. */
function callable(php: Php, node: SyntaxNode | undefined): Expression | undefined {
  const elements =
    node?.type === 'array_creation_expression' ? named(node).flatMap((each) => named(each)) : [];
  const [object, name] = elements;
  if (!object || name?.type !== 'string' || elements.length !== 2) return undefined;
  const text = php.lowering.text.slice(name.start + 1, name.end - 1);
  const isObject =
    object.type === 'class_constant_access_expression' || php.lowering.textOf(object) === '$this';
  if (!isObject || !/^\w+$/.test(text)) return undefined;
  return { kind: 'member', ...php.lowering.at(name), object: php.expression(object), name: text };
}

function includeOf(php: Php, node: SyntaxNode): Expression {
  const path = named(node)[0];
  const module = path && includedPath(php.lowering, path);
  return module === undefined ? first(php, node) : { kind: 'import', ...php.lowering.at(node), module };
}
