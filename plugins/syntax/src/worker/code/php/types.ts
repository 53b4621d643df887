import type { Located, Type } from '../../../code.js';
import { named, type SyntaxNode } from '../syntax-node.js';
import type { Php } from './context.js';
import { pathOf, rooted } from './names.js';

/** A declared type. Undefined for types that say less than the values: `array`, `callable`, `mixed`. */
export function typeOf(php: Php, node: SyntaxNode | undefined): Type | undefined {
  if (!node) return undefined;
  const parts = (kind: 'union' | 'intersection'): Type | undefined =>
    joined(
      kind,
      named(node).map((each) => typeOf(php, each)),
    );
  switch (node.type) {
    case 'union_type':
    case 'type_list':
    case 'disjunctive_normal_form_type':
      return parts('union');
    case 'intersection_type':
      return parts('intersection');
    case 'optional_type':
      return typeOf(php, named(node)[0]);
    case 'primitive_type':
      return OPEN.has(php.lowering.textOf(node).toLowerCase()) ? undefined : { kind: 'other' };
    case 'named_type':
    case 'name':
    case 'qualified_name':
    case 'relative_name':
      return namedType(php, pathOf(php, node), php.lowering.at(node));
    default:
      return { kind: 'other' };
  }
}

/** Types that say nothing of members, elements or results. */
const OPEN = new Set([
  'array',
  'callable',
  'closure',
  'iterable',
  'mixed',
  'object',
  'false',
  'null',
  'true',
]);
const SCALAR = new Set([
  'bool',
  'boolean',
  'double',
  'float',
  'int',
  'integer',
  'never',
  'resource',
  'scalar',
  'string',
  'void',
]);
/** Generic types that are read as collections of their last argument. */
const COLLECTIONS = new Set([
  'array',
  'list',
  'iterable',
  'generator',
  'iterator',
  'iteratoraggregate',
  'non-empty-array',
  'non-empty-list',
  'traversable',
]);

function namedType(
  php: Php,
  path: readonly string[],
  at: Located,
  args: readonly Type[] = [],
): Type | undefined {
  const name = path.join('\\').replace(/^\\/, '').toLowerCase();
  if (name === 'self' || name === 'static' || name === '$this') return { kind: 'self' };
  if (name === 'parent') return typeOf(php, php.class?.parent);
  const of = args.at(-1);
  if (of && COLLECTIONS.has(name)) {
    return args.length > 1 && args[0] ? { kind: 'map', key: args[0], of } : { kind: 'list', of };
  }
  if (OPEN.has(name) || COLLECTIONS.has(name)) return undefined;
  if (SCALAR.has(name)) return { kind: 'other' };
  return { kind: 'named', ...at, path, ...(args.length > 0 && { arguments: args }) };
}

function joined(kind: 'union' | 'intersection', types: ReadonlyArray<Type | undefined>): Type | undefined {
  const of = types.filter((type) => type !== undefined);
  return of.length > 1 ? { kind, of } : of[0];
}

/** A type of a doc comment: `?User`, `User[]|null`, `array<int, User>`. Undefined for a type without meaning here. */
export function docType(php: Php, text: string, at: Located): Type | undefined {
  const tokens = text.match(/\$?[\w\\-]+|[|&<>,()?]|\[\]/g) ?? [];
  let next = 0;
  const take = (token: string): boolean => tokens[next] === token && ++next > 0;
  const single = (): Type | undefined => {
    take('?');
    let type: Type | undefined;
    if (take('(')) {
      type = union();
      take(')');
    } else {
      const path = rooted(php, (tokens[next++] ?? '').split('\\'));
      const args: Type[] = [];
      if (take('<')) {
        do args.push(union() ?? { kind: 'other' });
        while (take(','));
        take('>');
      }
      type = namedType(php, path, at, args);
    }
    while (take('[]')) type = { kind: 'list', of: type ?? { kind: 'other' } };
    return type;
  };
  const union = (): Type | undefined => {
    const types = [single()];
    let kind: 'union' | 'intersection' = 'union';
    while (tokens[next] === '|' || tokens[next] === '&') {
      kind = tokens[next++] === '|' ? 'union' : 'intersection';
      types.push(single());
    }
    return joined(kind, types);
  };
  return /^[?(\\\w$]/.test(text) && !/[{'"]/.test(text) ? union() : undefined;
}
