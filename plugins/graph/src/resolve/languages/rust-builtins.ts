/**
 * Values that types of the standard library pass on. Smart pointers and guards count as their targets: the lowering of Rust
 * drops them from types, so their constructors give back their argument.
 */
export const RUST_BUILTINS = `
class Default { default(): any }
class Any { static default(): this  clone(): this  to_owned(): this  borrow(): this  borrow_mut(): this  as_ref(): this  as_mut(): this }
class String { @each: char  clone(): String  to_string(): String  to_owned(): String  as_str(): String }
class str extends String {}
class bool {}
class i8 {}  class i16 {}  class i32 {}  class i64 {}  class i128 {}  class isize {}
class u8 {}  class u16 {}  class u32 {}  class u64 {}  class u128 {}  class usize {}
class f32 {}  class f64 {}
class tuple<T> { @each: T  @index: T }

class Box { static new<T>(T): T  static pin<T>(T): T }
class Rc { static new<T>(T): T  static clone<T>(T): T }
class Arc { static new<T>(T): T  static clone<T>(T): T }
class Pin { static new<T>(T): T }

class Cell<T> { static new<T>(T): Cell<T>  get(): T  set(T): any  replace(T): T  take(): T }
class RefCell<T> { static new<T>(T): RefCell<T>  borrow(): T  borrow_mut(): T  into_inner(): T  replace(T): T }
class Mutex<T> { static new<T>(T): Mutex<T>  lock(): Result<T>  try_lock(): Result<T>  into_inner(): Result<T>  get_mut(): Result<T> }
class RwLock<T> { static new<T>(T): RwLock<T>  read(): Result<T>  write(): Result<T>  into_inner(): Result<T> }
class OnceCell<T> { static new<T>(): OnceCell<T>  get(): Option<T>  get_or_init(() => T): T  set(T): Result<T> }
class OnceLock<T> { static new<T>(): OnceLock<T>  get(): Option<T>  get_or_init(() => T): T  set(T): Result<T> }
class LazyLock<T> { static new<T>(() => T): T }
class Lazy<T> { static new<T>(() => T): T }

class Option<T> {
  @unwrap: T
  @each: T
  static Some<T>(T): Option<T>
  static None: Option<any>
  unwrap(): T
  expect(any): T
  unwrap_or(T): T
  unwrap_or_else(() => T): T
  unwrap_or_default(): T
  unwrap_unchecked(): T
  as_ref(): Option<T>
  as_mut(): Option<T>
  as_deref(): Option<T>
  as_deref_mut(): Option<T>
  cloned(): Option<T>
  copied(): Option<T>
  clone(): Option<T>
  take(): Option<T>
  replace(T): Option<T>
  insert(T): T
  get_or_insert(T): T
  get_or_insert_with(() => T): T
  filter((T) => any): Option<T>
  inspect((T) => any): Option<T>
  or(Option<T>): Option<T>
  or_else(() => Option<T>): Option<T>
  map<U>((T) => U): Option<U>
  map_or<U>(U, (T) => U): U
  map_or_else<U>(() => U, (T) => U): U
  and_then<U>((T) => Option<U>): Option<U>
  is_some_and((T) => any): bool
  ok_or<E>(E): Result<T, E>
  ok_or_else<E>(() => E): Result<T, E>
  iter(): Iterator<T>
  iter_mut(): Iterator<T>
  into_iter(): Iterator<T>
}

function Some<T>(T): Option<T>
function Ok<T>(T): Result<T, any>
function Err<E>(E): Result<any, E>
class Result<T, E> {
  @unwrap: T
  @each: T
  Err: E
  static Ok<T>(T): Result<T, any>
  static Err<E>(E): Result<any, E>
  unwrap(): T
  expect(any): T
  unwrap_or(T): T
  unwrap_or_else((E) => T): T
  unwrap_or_default(): T
  unwrap_err(): E
  expect_err(any): E
  ok(): Option<T>
  err(): Option<E>
  as_ref(): Result<T, E>
  as_mut(): Result<T, E>
  as_deref(): Result<T, E>
  clone(): Result<T, E>
  cloned(): Result<T, E>
  map<U>((T) => U): Result<U, E>
  map_err<F>((E) => F): Result<T, F>
  map_or<U>(U, (T) => U): U
  map_or_else<U>((E) => U, (T) => U): U
  and_then<U>((T) => Result<U, E>): Result<U, E>
  or_else<F>((E) => Result<T, F>): Result<T, F>
  inspect((T) => any): Result<T, E>
  inspect_err((E) => any): Result<T, E>
  is_ok_and((T) => any): bool
  iter(): Iterator<T>
  into_iter(): Iterator<T>
}

class Iterator<T> {
  @each: T
  next(): Option<T>
  next_back(): Option<T>
  last(): Option<T>
  nth(any): Option<T>
  peek(): Option<T>
  next_if((T) => any): Option<T>
  iter(): Iterator<T>
  by_ref(): Iterator<T>
  into_iter(): Iterator<T>
  cloned(): Iterator<T>
  copied(): Iterator<T>
  clone(): Iterator<T>
  cycle(): Iterator<T>
  fuse(): Iterator<T>
  rev(): Iterator<T>
  skip(any): Iterator<T>
  take(any): Iterator<T>
  step_by(any): Iterator<T>
  peekable(): Iterator<T>
  filter((T) => any): Iterator<T>
  skip_while((T) => any): Iterator<T>
  take_while((T) => any): Iterator<T>
  inspect((T) => any): Iterator<T>
  chain(Iterator<T>): Iterator<T>
  enumerate(): Iterator<[any, T]>
  zip<U>(U[]): Iterator<[T, U]>
  map<U>((T) => U): Iterator<U>
  map_while<U>((T) => Option<U>): Iterator<U>
  filter_map<U>((T) => Option<U>): Iterator<U>
  flat_map<U>((T) => Vec<U>): Iterator<U>
  flatten(): Iterator<any>
  for_each((T) => any): any
  try_for_each<R>((T) => R): R
  fold<A>(A, (A, T) => A): A
  try_fold<A>(A, (A, T) => any): any
  reduce((T, T) => T): Option<T>
  scan<A, U>(A, (A, T) => Option<U>): Iterator<U>
  all((T) => any): bool
  any((T) => any): bool
  find((T) => any): Option<T>
  find_map<U>((T) => Option<U>): Option<U>
  position((T) => any): Option<usize>
  min(): Option<T>
  max(): Option<T>
  min_by_key((T) => any): Option<T>
  max_by_key((T) => any): Option<T>
  min_by((T, T) => any): Option<T>
  max_by((T, T) => any): Option<T>
  partition((T) => any): [Vec<T>, Vec<T>]
  collect(): Vec<T>
  sum(): T
  product(): T
}
class IntoIterator<T> extends Iterator<T> {}
class DoubleEndedIterator<T> extends Iterator<T> {}
class ExactSizeIterator<T> extends Iterator<T> {}
class Peekable<T> extends Iterator<T> {}
class Range<T> extends Iterator<T> {}

class Vec<T> {
  @each: T
  @index: T
  static new<T>(): Vec<T>
  static with_capacity<T>(any): Vec<T>
  static from<T>(T[]): Vec<T>
  push(T): any
  insert(any, T): any
  extend(T[]): any
  append(T[]): any
  extend_from_slice(T[]): any
  pop(): Option<T>
  remove(any): T
  swap_remove(any): T
  get(any): Option<T>
  get_mut(any): Option<T>
  first(): Option<T>
  first_mut(): Option<T>
  last(): Option<T>
  last_mut(): Option<T>
  iter(): Iterator<T>
  iter_mut(): Iterator<T>
  into_iter(): Iterator<T>
  drain(any): Iterator<T>
  chunks(any): Iterator<Vec<T>>
  windows(any): Iterator<Vec<T>>
  split_at(any): [Vec<T>, Vec<T>]
  split_first(): Option<[T, Vec<T>]>
  split_last(): Option<[T, Vec<T>]>
  retain((T) => any): any
  sort_by((T, T) => any): any
  sort_by_key((T) => any): any
  sort_unstable_by((T, T) => any): any
  sort_unstable_by_key((T) => any): any
  dedup_by_key((T) => any): any
  binary_search_by((T) => any): any
  clone(): Vec<T>
  to_vec(): Vec<T>
  to_owned(): Vec<T>
  as_slice(): Vec<T>
  as_mut_slice(): Vec<T>
  into_boxed_slice(): Vec<T>
}
class VecDeque<T> extends Vec<T> {
  static new<T>(): VecDeque<T>
  push_back(T): any
  push_front(T): any
  pop_back(): Option<T>
  pop_front(): Option<T>
  front(): Option<T>
  back(): Option<T>
}
class HashSet<T> extends Iterator<T> {
  static new<T>(): HashSet<T>
  static from<T>(T[]): HashSet<T>
  insert(T): bool
  get(any): Option<T>
  take(any): Option<T>
}
class BTreeSet<T> extends HashSet<T> { static new<T>(): BTreeSet<T>  first(): Option<T>  last(): Option<T> }
class BinaryHeap<T> extends Iterator<T> { static new<T>(): BinaryHeap<T>  push(T): any  pop(): Option<T>  peek(): Option<T> }

class HashMap<K, V> {
  @each: [K, V]
  @index: V
  static new<K, V>(): HashMap<K, V>
  static with_capacity<K, V>(any): HashMap<K, V>
  insert(K, V): Option<V>
  get(any): Option<V>
  get_mut(any): Option<V>
  get_or_insert_with(any, () => V): V
  remove(any): Option<V>
  entry(K): Entry<K, V>
  keys(): Iterator<K>
  into_keys(): Iterator<K>
  values(): Iterator<V>
  values_mut(): Iterator<V>
  into_values(): Iterator<V>
  iter(): Iterator<[K, V]>
  iter_mut(): Iterator<[K, V]>
  into_iter(): Iterator<[K, V]>
  drain(): Iterator<[K, V]>
  retain((K, V) => any): any
  clone(): HashMap<K, V>
}
class BTreeMap<K, V> extends HashMap<K, V> { static new<K, V>(): BTreeMap<K, V>  first_key_value(): Option<[K, V]>  range(any): Iterator<[K, V]> }
class IndexMap<K, V> extends HashMap<K, V> { static new<K, V>(): IndexMap<K, V> }
class Entry<K, V> {
  or_insert(V): V
  or_insert_with(() => V): V
  or_default(): V
  and_modify((V) => any): Entry<K, V>
}
class Future<T> { @await: T }
`;
