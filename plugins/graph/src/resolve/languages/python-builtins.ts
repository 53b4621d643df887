/**
 * Types and functions of the language and of `typing`, `collections`, `functools`, `itertools`, `contextlib` that pass
 * values on. See `builtins.ts`.
 */
export const PYTHON_BUILTINS = `
class object {}
class str { @each: str  @index: str  split(): list<str>  join(any): str  format(any): str  strip(): str  lower(): str
  upper(): str  replace(any): str  encode(): bytes  lstrip(): str  rstrip(): str  splitlines(): list<str>  title(): str }
class bytes { decode(): str }
class int {}
class float {}
class bool {}

class Iterable<T> { @each: T  __iter__(): this }
class Iterator<T> extends Iterable<T> { __next__(): T }
class Generator<T> extends Iterator<T> { send(any): T  throw(any)  close() }
class list<T> extends Iterable<T> {
  @index: T
  append(T)
  insert(any, T)
  extend(Iterable<T>)
  pop(any): T
  remove(any)
  copy(): list<T>
  sort(key: (T) => any)
}
class deque<T> extends list<T> { appendleft(T)  extendleft(Iterable<T>)  popleft(): T }
class tuple<T> extends Iterable<T> { @index: T }
class set<T> extends Iterable<T> {
  add(T)
  pop(): T
  update(Iterable<T>)
  copy(): set<T>
  union(Iterable<T>): set<T>
  difference(any): set<T>
  intersection(any): set<T>
}
class frozenset<T> extends set<T> {}
class dict<K, V> {
  @each: K
  @index: V
  get(K, V): V
  setdefault(K, V): V
  pop(K, V): V
  popitem(): [K, V]
  keys(): Iterable<K>
  values(): Iterable<V>
  items(): Iterable<[K, V]>
  update(dict<K, V>)
  copy(): dict<K, V>
}
class defaultdict<K, V> extends dict<K, V> {}
class OrderedDict<K, V> extends dict<K, V> {}
class Awaitable<T> { @await: T }
class Coroutine<T> extends Awaitable<T> {}
`;
