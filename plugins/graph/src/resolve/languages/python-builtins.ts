/**
 * Types and functions of the language and of `collections`, `functools`, `itertools`, `contextlib`, `asyncio`,
 * `concurrent.futures` and others that pass values on. See `builtins.ts`. A decorator of `contextlib` leaves a generator
 * what it is: only those that it makes context managers of are entered.
 */
export const PYTHON_BUILTINS = `
class object {}
class str { @each: str  @index: str  split(): list<str>  join(any): str  format(any): str  strip(): str  lower(): str
  upper(): str  replace(any): str  encode(): bytes  lstrip(): str  rstrip(): str  splitlines(): list<str>  title(): str }
class bytes { decode(): str }
class int {}
class float {}
class bool {}

class Iterable<T> { @each: T  @enter: T }
class Iterator<T> extends Iterable<T> { __next__(): T }
class Generator<T, R, S> extends Iterator<T> { @return: R  send(S): T  throw(any)  close() }
class list<T> extends Iterable<T> {
  @index: T
  new(Iterable<T>)
  append(T)
  insert(any, T)
  extend(Iterable<T>)
  pop(any): T
  remove(any)
  copy(): list<T>
  sort(key: (T) => any)
  reverse()
  __getitem__(any): T
}
class deque<T> extends list<T> { new(Iterable<T>)  appendleft(T)  extendleft(Iterable<T>)  popleft(): T }
class tuple<T> extends Iterable<T> { @index: T  new(Iterable<T>) }
class set<T> extends Iterable<T> {
  new(Iterable<T>)
  add(T)
  pop(): T
  update(Iterable<T>)
  copy(): set<T>
  union(Iterable<T>): set<T>
  difference(any): set<T>
  intersection(any): set<T>
}
class frozenset<T> extends set<T> { new(Iterable<T>) }
class dict<K, V> extends Iterable<K> {
  @index: V
  new(dict<K, V> | Iterable<[K, V]>, **V)
  get(K, V): V
  setdefault(K, V): V
  pop(K, V): V
  popitem(): [K, V]
  keys(): Iterable<K>
  values(): Iterable<V>
  items(): Iterable<[K, V]>
  update(dict<K, V> | Iterable<[K, V]>, **V)
  __getitem__(K): V
  copy(): dict<K, V>
}
class defaultdict<K, V> extends dict<K, V> { new(() => V, dict<K, V>) }
class OrderedDict<K, V> extends dict<K, V> { new(dict<K, V> | Iterable<[K, V]>, **V) }
class ChainMap<K, V> extends dict<K, V> { new(...dict<K, V>) }
class Counter<K, V> extends dict<K, V> { new(Iterable<K>)  most_common(any): list<[K, int]> }
class property<G, S> {
  new(fget: G, fset: S, fdel: any, doc: any)
  getter(G): this
  setter(S): this
  deleter(any): this
}
class ExceptionGroup<T> {
  exceptions: tuple<T>
  subgroup(any): this
  split(any): tuple<this>
}
class ContextManager<T> { @enter: T }
class AsyncContextManager<T> { @enter: T }
class Awaitable<T> { @await: T }
class Coroutine<T> extends Awaitable<T> {}
class Future<T> extends Awaitable<T> { result(any): T }
class Task<T> extends Future<T> {}

function map<T, U>(f: (T, T) => U, ...Iterable<T>): Iterator<U>
function dict.fromkeys<K, V>(Iterable<K>, V): dict<K, V>
function filter<T>(f: (T) => any, Iterable<T>): Iterator<T>
function sorted<T>(Iterable<T>, key: (T) => any): list<T>
function reversed<T>(Iterable<T>): Iterator<T>
function enumerate<T>(Iterable<T>): Iterator<[int, T]>
function zip<T, U, V>(Iterable<T>, Iterable<U>, Iterable<V>): Iterator<[T, U, V]>
function iter<T>(Iterable<T>): Iterator<T>
function iter<T>(() => T, any): Iterator<T>
function next<T>(Iterable<T>, T): T
function aiter<T>(Iterable<T>): Iterator<T>
function anext<T>(Iterable<T>, T): Awaitable<T>
function min<T>(Iterable<T>, key: (T) => any): T
function min<T>(T, T, ...T, key: (T) => any): T
function max<T>(Iterable<T>, key: (T) => any): T
function max<T>(T, T, ...T, key: (T) => any): T
function re.sub(any, () => any, any): str
function re.subn(any, () => any, any): tuple<str>
function re.compile.sub(() => any, any): str
function re.compile.subn(() => any, any): tuple<str>
function functools.update_wrapper<F>(F, any): F
function functools.partial<F>(F, ...any): F
function staticmethod<F>(F): F
function classmethod<F>(F): F
function types.MethodType<F>(F, any): F
function functools.reduce<T>(f: (T, T) => T, Iterable<T>, T): T
function functools.cmp_to_key<F>(f: (any, any) => any): F
function sum<T>(Iterable<T>, any)
function itertools.chain<T>(...Iterable<T>): Iterator<T>
function itertools.chain.from_iterable<T>(Iterable<Iterable<T>>): Iterator<T>
function itertools.groupby<T>(Iterable<T>, key: (T) => any): Iterator<[any, Iterator<T>]>
function itertools.zip_longest<T, U>(Iterable<T>, Iterable<U>): Iterator<[T, U]>
function itertools.product<T, U>(Iterable<T>, Iterable<U>): Iterator<[T, U]>
function itertools.pairwise<T>(Iterable<T>): Iterator<[T, T]>
function itertools.permutations<T>(Iterable<T>, any): Iterator<list<T>>
function itertools.combinations<T>(Iterable<T>, any): Iterator<list<T>>
function itertools.repeat<T>(T, any): Iterator<T>
function itertools.filterfalse<T>(f: (T) => any, Iterable<T>): Iterator<T>
function itertools.accumulate<T>(Iterable<T>, f: (T, T) => T): Iterator<T>
function heapq.heappop<T>(list<T>): T
function heapq.heappush<T>(list<T>, T)
function heapq.heappushpop<T>(list<T>, T): T
function heapq.heapreplace<T>(list<T>, T): T
function heapq.heapify<T>(list<T>)
function heapq.merge<T>(...Iterable<T>): Iterator<T>
function bisect.insort<T>(list<T>, T)
function heapq.nlargest<T>(any, Iterable<T>, key: (T) => any): list<T>
function heapq.nsmallest<T>(any, Iterable<T>, key: (T) => any): list<T>
function random.choice<T>(Iterable<T>): T
function itertools.islice<T>(Iterable<T>, any): Iterator<T>
function itertools.cycle<T>(Iterable<T>): Iterator<T>
function itertools.takewhile<T>(f: (T) => any, Iterable<T>): Iterator<T>
function itertools.dropwhile<T>(f: (T) => any, Iterable<T>): Iterator<T>
function itertools.starmap<U>(f: (any) => U, any): Iterator<U>
function copy.copy<T>(T): T
function copy.deepcopy<T>(T): T
function dataclasses.replace<T>(T): T
function weakref.proxy<T>(T): T
function cast<T>(any, T): T
function asyncio.run<T>(Awaitable<T>): T
function asyncio.create_task<T>(Awaitable<T>): Task<T>
function asyncio.TaskGroup.create_task<T>(Awaitable<T>): Task<T>
function asyncio.ensure_future<T>(Awaitable<T>): Task<T>
function asyncio.gather<T>(...Awaitable<T>): Awaitable<list<T>>
function asyncio.to_thread<T>(() => T, ...any): Awaitable<T>
function asyncio.get_running_loop.run_in_executor<T>(any, () => T, ...any): Future<T>
function asyncio.get_event_loop.run_in_executor<T>(any, () => T, ...any): Future<T>
function concurrent.futures.ThreadPoolExecutor.submit<T>(() => T, ...any): Future<T>
function concurrent.futures.ProcessPoolExecutor.submit<T>(() => T, ...any): Future<T>
function concurrent.futures.ThreadPoolExecutor.map<T, U>(f: (T, T) => U, ...Iterable<T>): Iterator<U>
function concurrent.futures.ProcessPoolExecutor.map<T, U>(f: (T, T) => U, ...Iterable<T>): Iterator<U>
function asyncio.wait_for<T>(Awaitable<T>, any): Awaitable<T>
function asyncio.shield<T>(Awaitable<T>): Awaitable<T>
function contextlib.closing<T>(T): ContextManager<T>
function contextlib.aclosing<T>(T): ContextManager<T>
function contextlib.nullcontext<T>(T): ContextManager<T>
function contextlib.ExitStack.enter_context<T>(ContextManager<T> | Iterable<T>): T
function contextlib.AsyncExitStack.enter_context<T>(ContextManager<T> | Iterable<T>): T
function contextlib.AsyncExitStack.enter_async_context<T>(ContextManager<T> | Iterable<T>): Awaitable<T>
function contextlib.suppress(any): any
`;
