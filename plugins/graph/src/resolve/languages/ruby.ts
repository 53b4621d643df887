import type { LanguageRules } from '../language-rules.js';
import { KERNEL } from './ruby-names.js';
import { rubyModules } from './ruby-modules.js';

/** Collections. The block of a method is its parameter `&`. */
const BUILTINS = `
class String { each_char(&: (String) => any): String  lines(): Array<String>  split(any): Array<String> }
class Symbol {}
class Numeric {}
class Integer extends Numeric { times(&: (Integer) => any): Integer  upto(any, &: (Integer) => any): Integer }
class Regexp {}
class Singleton { static instance(): this }
class Object {
  instance_eval<U>(&: (this: this, this) => U): U
  instance_exec<A, U>(A, &: (this: this, A) => U): U
  tap(&: (this) => any): this  then<U>(&: (this) => U): U  yield_self<U>(&: (this) => U): U
}
class Comparable { between?(any, any): any  clamp(any, any): this }
class Enumerable<T> {
  @each: T
  each(&: (T) => any): this
  each_entry(&: (T) => any): this
  each_with_index(&: (T, Integer) => any): this
  each_with_object<U>(U, &: (T, U) => any): U
  each_slice(any, &: (Array<T>) => any): this
  each_cons(any, &: (Array<T>) => any): this
  reverse_each(&: (T) => any): this
  map<U>(&: (T) => U): Array<U>
  collect<U>(&: (T) => U): Array<U>
  flat_map<U>(&: (T) => Array<U>): Array<U>
  filter_map<U>(&: (T) => U): Array<U>
  select(&: (T) => any): Array<T>
  filter(&: (T) => any): Array<T>
  reject(&: (T) => any): Array<T>
  find(&: (T) => any): T
  detect(&: (T) => any): T
  find_all(&: (T) => any): Array<T>
  partition(&: (T) => any): Array<Array<T>>
  group_by<K>(&: (T) => K): Hash<K, Array<T>>
  index_by<K>(&: (T) => K): Hash<K, T>
  sort_by(&: (T) => any): Array<T>
  sort(&: (T, T) => any): Array<T>
  min_by(&: (T) => any): T
  max_by(&: (T) => any): T
  min(&: (T, T) => any): T
  max(&: (T, T) => any): T
  minmax(&: (T, T) => any): Array<T>
  sum(&: (T) => any): any
  count(&: (T) => any): Integer
  all?(&: (T) => any): any
  any?(&: (T) => any): any
  none?(&: (T) => any): any
  inject<U>(U, &: (U, T) => U): U
  reduce<U>(U, &: (U, T) => U): U
  first(): T
  take(any): Array<T>
  drop(any): Array<T>
  take_while(&: (T) => any): Array<T>
  drop_while(&: (T) => any): Array<T>
  uniq(&: (T) => any): Array<T>
  to_a(): Array<T>
  to_set(): Set<T>
  lazy(): this
  zip(any): Array<Array<T>>
}
class Array<T> extends Enumerable<T> {
  @index: T
  <<(T): this
  push(T): this
  append(T): this
  unshift(T): this
  prepend(T): this
  insert(any, T): this
  concat(Array<T>): this
  pop(): T
  shift(): T
  last(): T
  at(any): T
  fetch(any): T
  dig(any): T
  sample(): T
  delete(any): T
  delete_at(any): T
  delete_if(&: (T) => any): this
  each_index(&: (Integer) => any): this
  reverse(): Array<T>
  rotate(): Array<T>
  shuffle(): Array<T>
  compact(): Array<T>
  flatten(): Array<T>
  slice(any): Array<T>
  select!(&: (T) => any): this
  reject!(&: (T) => any): this
  map!(&: (T) => T): this
  sort!(&: (T, T) => any): this
  sort_by!(&: (T) => any): this
}
class Set<T> extends Enumerable<T> { new(Array<T>)  <<(T): this  add(T): this  merge(Array<T>): this }
class Hash<K, V> {
  @each: [K, V]
  @index: V
  each(&: (K, V) => any): this
  each_pair(&: (K, V) => any): this
  each_key(&: (K) => any): this
  each_value(&: (V) => any): this
  map<U>(&: (K, V) => U): Array<U>
  flat_map<U>(&: (K, V) => Array<U>): Array<U>
  select(&: (K, V) => any): Hash<K, V>
  filter(&: (K, V) => any): Hash<K, V>
  reject(&: (K, V) => any): Hash<K, V>
  transform_values<U>(&: (V) => U): Hash<K, U>
  any?(&: (K, V) => any): any
  all?(&: (K, V) => any): any
  sum(&: (K, V) => any): any
  fetch(K, V): V
  store(K, V): V
  dig(K): V
  delete(K): V
  keys(): Array<K>
  values(): Array<V>
  values_at(K): Array<V>
  merge(Hash<K, V>): Hash<K, V>
  update(Hash<K, V>): Hash<K, V>
  compact(): Hash<K, V>
}
`;

/** `Comparable` derives these from `<=>`. */
const COMPARISONS = new Set(['<', '>', '<=', '>=', '==']);

function operatorNames(operator: string, operands: number): readonly string[] {
  if (operator === 'string') return ['to_s'];
  if (operands === 1 && /^[-+]$/.test(operator)) return [`${operator}@`];
  // `a += b` is `a = a + b`.
  const plain = operator.replace(/(?<![=!<>])=$/, '');
  if (plain !== operator) return [plain];
  if (operator === '!=') return [operator, '==', '<=>'];
  return COMPARISONS.has(operator) ? [operator, '<=>'] : [operator];
}

export const ruby: LanguageRules = {
  modules: rubyModules,
  builtins: BUILTINS,
  literals: {
    string: 'String',
    number: 'Integer',
    regexp: 'Regexp',
    list: 'Array',
    tuple: 'Array',
    object: 'Hash',
  },
  topType: 'Object',
  reopensBuiltins: { object: ['Object', 'Kernel'], class: ['Class', 'Module', 'Object', 'Kernel'] },
  bareNames: 'members',
  assignedNames: 'lexical',
  receiver: 'dynamic',
  runsClassBodies: true,
  ownMethods: true,
  namespaces: 'shared',
  constructors: ['initialize'],
  functionalInterfaces: true,
  callMember: 'call',
  missingCall: {
    object: 'method_missing',
    class: 'method_missing',
    isOfAll: (name) => KERNEL.has(name),
  },
  hooks: { subclass: 'inherited', mixed: 'included', first: 'prepended', lent: 'extended' },
  protocol: { index: '[]', setIndex: '[]=', each: 'each' },
  elementOperators: {
    'Enumerable.sort': '<=>',
    'Enumerable.min': '<=>',
    'Enumerable.max': '<=>',
    'Enumerable.minmax': '<=>',
    'Array.sort!': '<=>',
  },
  derivedMembers: { Enumerable: 'each', Comparable: '<=>' },
  operationsCall: true,
  operators: { names: operatorNames },
  isBuiltin: (name) => KERNEL.has(name),
};
