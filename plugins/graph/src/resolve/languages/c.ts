import type { LanguageRules } from '../language-rules.js';
import { cModules } from './c-modules.js';

/** Structs of C by their literals, and the standard library of C++: containers, pointers, iterators. */
const BUILTINS = `
class record<T> { @index: T  @each: T }
class iterator<T> { @unwrap: T }
class bool {}
class char {}
class signed_char {}
class unsigned_char {}
class short {}
class unsigned_short {}
class int {}
class unsigned_int {}
class long {}
class unsigned_long {}
class long_long {}
class unsigned_long_long {}
class float {}
class double {}
class long_double {}
class wchar_t {}
class char8_t {}
class char16_t {}
class char32_t {}
class nullptr_t {}
class null_pointer_constant extends int {}
class Range<T> {
  @each: T
  begin(): iterator<T>
  end(): iterator<T>
  cbegin(): iterator<T>
  cend(): iterator<T>
  rbegin(): iterator<T>
  find(any): iterator<T>
}
class Sequence<T> extends Range<T> {
  @index: T
  at(any): T
  front(): T
  back(): T
  push_back(T)
  push_front(T)
  insert(any, T): iterator<T>
  assign(any, T)
  emplace_back(any): T
}
class array<T> extends Sequence<T> { @unwrap: T }
class text extends array<char> {}
class vector<T> extends Sequence<T> { data(): array<T> }
class deque<T> extends Sequence<T> {}
class list<T> extends Sequence<T> {}
class span<T> extends Sequence<T> {}
class initializer_list<T> extends Sequence<T> {}
class stack<T> { push(T)  top(): T }
class queue<T> { push(T)  front(): T  back(): T }
class priority_queue<T> extends stack<T> {}
class set<T> extends Range<T> { insert(T) }
class multiset<T> extends set<T> {}
class unordered_set<T> extends set<T> {}
class pair<A, B> { first: A  second: B  @index: A | B }
class tuple<T> { @index: T }
class map<K, V> extends Range<pair<K, V>> { @index: V  at(K): V  insert(pair<K, V>)  emplace(K, V) }
class multimap<K, V> extends map<K, V> {}
class unordered_map<K, V> extends map<K, V> {}
class unordered_multimap<K, V> extends map<K, V> {}
class unique_ptr<T> {
  @unwrap: T
  @index: T
  get(): array<T>
  release(): array<T>
  reset(array<T>)
  new(array<T>)
}
class shared_ptr<T> extends unique_ptr<T> {}
class weak_ptr<T> { new(shared_ptr<T>)  lock(): shared_ptr<T> }
class optional<T> { new(T)  @unwrap: T  value(): T  value_or(T): T  emplace(T): T }
class reference_wrapper<T> { new(T)  @unwrap: T  get(): T }
class future<T> { get(): T }
class atomic<T> { load(): T  store(T)  exchange(T): T }
`;

/** Numbers become `int` or `double` without loss, then any other number. */
const SMALL = ['bool', 'char', 'signed_char', 'unsigned_char', 'short', 'unsigned_short'];
const WHOLE = ['int', 'unsigned_int', 'long', 'unsigned_long', 'long_long', 'unsigned_long_long'];
const REAL = ['double', 'float', 'long_double'];
const CHARACTERS = ['wchar_t', 'char8_t', 'char16_t', 'char32_t'];
const NUMBERS = [...WHOLE, ...REAL, ...SMALL, ...CHARACTERS];
const CONVERSIONS = Object.fromEntries([
  ...NUMBERS.map((name) => {
    const isReal = REAL.includes(name);
    const order = isReal ? [...REAL, ...WHOLE, ...SMALL, ...CHARACTERS] : NUMBERS;
    return [name, order.filter((each) => each !== name)] as const;
  }),
  ...['array', 'text'].map((name) => [name, ['bool']] as const),
  ['null_pointer_constant', [...NUMBERS, 'array']] as const,
  ['nullptr_t', ['array', 'bool']] as const,
]);

/** Comparisons that C++20 derives from others. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  '!=': ['operator=='],
  '<': ['operator<=>'],
  '>': ['operator<=>'],
  '<=': ['operator<=>'],
  '>=': ['operator<=>'],
};

function operatorNames(operator: string): readonly string[] {
  return [`operator${operator}`, ...(DERIVED[operator] ?? [])];
}

/** C and C++, which include each other's headers. */
export const c: LanguageRules = {
  modules: cModules,
  builtins: BUILTINS,
  literals: {
    string: 'text',
    boolean: 'bool',
    number: 'int',
    list: 'array',
    tuple: 'pair',
    object: 'record',
  },
  builtinModules: ['std'],
  bareNames: 'members',
  prototypes: true,
  overloads: 'arguments',
  argumentLookup: true,
  templates: true,
  nullTypes: ['nullptr_t', 'null_pointer_constant'],
  conversions: CONVERSIONS,
  constructorsConvert: true,
  overrides: 'virtual',
  namespaces: 'shared',
  recordLiterals: true,
  fieldsInOrder: true,
  namedTypesAreValues: true,
  callMember: 'operator()',
  protocol: {
    index: 'operator[]',
    changedIndex: 'operator[]',
    dereference: 'operator*',
    each: 'begin',
    next: 'operator*',
  },
  dereference: 'operator->',
  operationsCall: true,
  operators: { names: operatorNames, place: 'beside' },
  // A function that no file of the project declares is one of a library.
  isBuiltin: (name) => name !== '' && name !== 'std',
};
