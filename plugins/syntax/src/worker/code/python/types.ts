import type { Statement, Type, TypeParameter } from '../../../code.js';
import type { Lowering } from '../lowering.js';
import { child, named, type SyntaxNode } from '../syntax-node.js';
import { evaluate } from '../values.js';
import type { Context } from './context.js';

/** Generics of `typing` and `collections` by the meaning of their arguments. */
const MEANINGS: ReadonlyMap<
  string,
  'wrapper' | 'list' | 'map' | 'other' | 'typeof' | 'union' | 'tuple' | 'callable'
> = new Map([
  ...(
    ['Optional', 'Annotated', 'Final', 'ClassVar', 'Required', 'NotRequired', 'ReadOnly', 'InitVar'] as const
  ).map((name) => [name, 'wrapper'] as const),
  ...[
    'list List set Set frozenset FrozenSet AbstractSet MutableSet deque Deque Sequence MutableSequence Iterable',
    'Iterator Collection Container Reversible Generator AsyncIterable AsyncIterator AsyncGenerator KeysView ValuesView',
  ].flatMap((names) => names.split(' ').map((name) => [name, 'list'] as const)),
  ...'dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap ItemsView'
    .split(' ')
    .map((name) => [name, 'map'] as const),
  ['Union', 'union'],
  ['tuple', 'tuple'],
  ['Tuple', 'tuple'],
  ['type', 'typeof'],
  ['Type', 'typeof'],
  ['Callable', 'callable'],
  ['Literal', 'other'],
]);
const OTHER: Type = { kind: 'other' };
const NONE: Type = { kind: 'other', of: [] };
/** Deeper annotations are not read: only hostile texts have them. */
const MAX_DEPTH = 40;

/**
 * Reads annotations from their text, so that one reader serves `list[User]`, `"list[User]"` and `list["User"]`:
 * quotes count as white space.
 */
class AnnotationReader {
  readonly #lowering: Lowering;
  readonly #end: number;
  readonly #names: Set<string> | undefined;
  readonly #receiver: string | undefined;
  #at: number;

  constructor({ lowering, receiverType }: Context, node: SyntaxNode, names: Set<string> | undefined) {
    this.#lowering = lowering;
    this.#receiver = receiverType;
    this.#at = node.start;
    this.#end = node.end;
    this.#names = names;
  }

  read(depth = 0): Type {
    const members = [this.#single(depth)];
    while (this.#take('|')) members.push(this.#single(depth));
    return union(members);
  }

  #single(depth: number): Type {
    const next = this.#next();
    if (next === '[' && depth < MAX_DEPTH) {
      this.#at += 1;
      return { kind: 'tuple', of: this.#list(']', depth) };
    }
    if (!/[\p{L}_]/u.test(next)) {
      this.#skip();
      return OTHER;
    }
    const start = this.#at;
    const path = [this.#name()];
    while (this.#take('.')) path.push(this.#name());
    const name = path.at(-1) ?? '';
    if (name === 'Self' || (path.length === 1 && name === this.#receiver)) return { kind: 'self' };
    if (path.length === 1) this.#names?.add(name);
    if (name === 'None') return NONE;
    if (this.#next() === '[' && (name === 'Literal' || depth >= MAX_DEPTH)) {
      this.#skip();
      return OTHER;
    }
    const listed = this.#take('[') ? this.#list(']', depth) : [];
    if (this.#next() === '(') this.#skip();
    const type = { kind: 'named' as const, ...this.#lowering.at({ start }), path };
    // It says nothing of the value.
    if (name === 'Any') return { kind: 'other', of: [type] };
    const meaning = MEANINGS.get(name);
    if (listed.length === 0) return meaning === 'callable' ? OTHER : type;
    return generic(meaning, listed) ?? { ...type, arguments: listed };
  }

  #list(close: string, depth: number): Type[] {
    const items: Type[] = [];
    while (this.#at < this.#end && !this.#take(close)) {
      const before = this.#at;
      items.push(this.read(depth + 1));
      this.#take(',');
      if (this.#at === before) this.#at += 1;
    }
    return items;
  }

  #name(): string {
    this.#next();
    const found = /^[\p{L}\p{N}_]+/u.exec(
      this.#lowering.text.slice(this.#at, Math.min(this.#end, this.#at + 256)),
    );
    this.#at += found?.[0].length ?? 0;
    return found?.[0] ?? '';
  }

  #take(token: string): boolean {
    if (this.#next() !== token) return false;
    this.#at += 1;
    return true;
  }

  /** The next character that is not white space, a quote or in a comment; empty at the end. */
  #next(): string {
    const { text } = this.#lowering;
    for (; this.#at < this.#end; this.#at += 1) {
      const character = text[this.#at] as string;
      if (character === '#') {
        const newline = text.indexOf('\n', this.#at);
        this.#at = newline < 0 ? this.#end : newline;
      } else if (!/[\s'"\\*]/.test(character)) return character;
    }
    return '';
  }

  /** Skips up to the next comma or closing bracket of this level. */
  #skip(): void {
    const { text } = this.#lowering;
    for (let open = 0; this.#at < this.#end; this.#at += 1) {
      const character = text[this.#at] as string;
      if (open === 0 && /[,|\])]/.test(character)) return;
      if (/[[({]/.test(character)) open += 1;
      else if (/[\])}]/.test(character)) open -= 1;
    }
  }
}

function union(members: readonly Type[]): Type {
  const known = members.filter((member) => member !== NONE);
  const [only] = known;
  if (!only) return OTHER;
  if (known.length === 1) return members.length === 1 ? only : { kind: 'wrapper', of: only };
  return { kind: 'union', of: known };
}

function generic(meaning: ReturnType<typeof MEANINGS.get>, listed: readonly Type[]): Type | undefined {
  const first = listed[0] ?? OTHER;
  switch (meaning) {
    case 'wrapper':
      return { kind: 'wrapper', of: first };
    case 'list':
      return { kind: 'list', of: first };
    case 'map':
      return { kind: 'map', key: first, of: listed[1] ?? OTHER };
    case 'union':
      return union(listed);
    case 'tuple':
      return listed.length === 2 && listed[1] === OTHER
        ? { kind: 'list', of: first }
        : { kind: 'tuple', of: listed };
    case 'typeof':
      return first.kind === 'named'
        ? { kind: 'typeof', value: path(first.path, { start: first.start, line: first.line }) }
        : OTHER;
    case 'callable':
      return {
        kind: 'function',
        parameters: first.kind === 'tuple' ? first.of : [],
        ...(listed[1] && { returns: listed[1] }),
      };
    case 'other':
      return OTHER;
    case undefined:
      return undefined;
  }
}

function path(names: readonly string[], at: { start: number; line: number }) {
  const [first = '', ...rest] = names;
  let value: Extract<Type, { kind: 'typeof' }>['value'] = { kind: 'name', ...at, name: first };
  for (const name of rest) value = { kind: 'member', ...at, object: value, name };
  return value;
}

/** The type of an annotation. `names` collects the names of one part that it mentions. */
export function annotation(node: SyntaxNode, context: Context, names?: Set<string>): Type {
  return new AnnotationReader(context, node, names).read();
}

/** What `Annotated[A, b]` in an annotation, not in quotes, says besides the type: values that frameworks read or call. */
export function metadata(node: SyntaxNode | undefined, context: Context): Statement[] {
  if (!node || !context.lowering.textOf(node).includes('Annotated[')) return [];
  const nodes = [node];
  const found: Statement[] = [];
  for (const each of nodes) {
    const [name, ...rest] = named(each);
    if (!name || !/(?:^|\.)Annotated$/.test(context.lowering.textOf(name))) nodes.push(...named(each));
    else {
      const [type, ...values] = rest.flatMap((inner) =>
        inner.type === 'type_parameter' ? named(inner) : inner,
      );
      if (type) nodes.push(type);
      found.push(...values.flatMap((value) => evaluate(context.expression(value, context))));
    }
  }
  return found;
}

/** Any class may be one of these. */
const PROTOCOL = /^(?:Async)?(?:Iterable|Iterator|Generator)$/;

/**
 * The type that an expression is: `Union[A, B]`, `t.List[A]`. Not one of functions or of what is iterated, which say less
 * than the values.
 */
export function typeOf(node: SyntaxNode, context: Context): Type | undefined {
  const generic = node.type === 'subscript' ? child(node, 'value') : undefined;
  const name = generic && context.lowering.textOf(generic).split('.').at(-1);
  if (name === undefined || !MEANINGS.has(name) || PROTOCOL.test(name)) return undefined;
  const type = context.type(node, context);
  return type.kind === 'other' || holdsFunction(type) ? undefined : type;
}

function holdsFunction(type: Type): boolean {
  if (type.kind === 'union' || type.kind === 'tuple') return type.of.some(holdsFunction);
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'wrapper') return holdsFunction(type.of);
  return type.kind === 'function';
}

/** True for the type of a class, and of a collection of classes. */
export function holdsClass(type: Type): boolean {
  if (type.kind === 'tuple') return type.of.some(holdsClass);
  if (type.kind === 'list' || type.kind === 'map' || type.kind === 'wrapper') return holdsClass(type.of);
  return type.kind === 'typeof';
}

/** True for a type variable that stands for functions: what a decorator makes of one is what it returns. */
export function isFunctionVariable(type: Type, types: Iterable<TypeParameter>): boolean {
  if (type.kind !== 'named' || type.path.length > 1) return false;
  const variable = [...types].find(({ name }) => name === type.path[0]);
  return variable?.bounds?.some(({ kind }) => kind === 'function' || kind === 'other') === true;
}

/** `[T: int, *Ts]` of a function, class or alias. */
export function typeParameters(node: SyntaxNode | undefined, context: Context): TypeParameter[] {
  if (!node) return [];
  return named(node).map((each) => {
    const constrained = each.children.find((inner) => inner.type === 'constrained_type');
    const [name = each, bound] = constrained ? named(constrained) : named(each);
    const text = context.lowering.textOf(name).replace(/^\*+/, '');
    return { name: text, ...(bound && { bounds: [context.type(bound, context)] }) };
  });
}

/** The names that the module binds to `TypeVar(…)`, with their bounds. */
export function typeVariables(root: SyntaxNode, context: Context): ReadonlyMap<string, TypeParameter> {
  const found = new Map<string, TypeParameter>();
  for (const statement of root.children) {
    const assignment = statement.children[0];
    const left = assignment && child(assignment, 'left');
    const call = assignment && child(assignment, 'right');
    const made = call?.type === 'call' ? child(call, 'function') : undefined;
    if (left?.type !== 'identifier' || !call || !made) continue;
    if (!/(^|\.)(TypeVar|ParamSpec|TypeVarTuple)$/.test(context.lowering.textOf(made))) continue;
    const bound = child(call, 'arguments')?.children.find(
      (each) => each.type === 'keyword_argument' && context.lowering.textOf(each).startsWith('bound'),
    );
    const value = bound && child(bound, 'value');
    const name = context.lowering.textOf(left);
    found.set(name, { name, ...(value && { bounds: [context.type(value, context)] }) });
  }
  return found;
}
