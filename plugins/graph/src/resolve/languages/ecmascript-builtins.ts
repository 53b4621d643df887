/** Builtin types that hold or pass on values of the project: see `builtins.ts`. */
export const BUILTINS = `
class Object {
  static assign<T, U>(T, ...U): T
  static create(Object): Object
  static defineProperties<T>(T, Object): T
  static defineProperty<T>(T, Object): T
  static setPrototypeOf<T>(T, Object): T
  static freeze<T>(T): T
  static seal<T>(T): T
  static fromEntries<T>(Iterable<[String, T]>): Record<String, T>
  static entries<T>(Record<String, T>): Array<[String, T]>
  static keys(Object): Array<String>
  static values<T>(Record<String, T>): Array<T>
}
class Record<K, T> {
  @index: T
}
class String {
  match(RegExp): Array<String>
  matchAll(RegExp): Iterable<Array<String>>
  replace(RegExp, f: (String) => String): String
  replaceAll(RegExp, f: (String) => String): String
  split(String): Array<String>
  slice(Number, Number): String
  trim(): String
  toLowerCase(): String
  toUpperCase(): String
}
class Number { toString(): String }
class Boolean { }
class RegExp { }
class Iterable<T> {
  @each: T
}
class Iterator<T> extends Iterable<T> {
  next(): IteratorResult<T>
  map<U>(f: (T) => U): Iterator<U>
  filter<U>(f: (T) => T is U): Iterator<U>
  toArray(): Array<T>
  forEach(f: (T) => Object)
}
class IteratorResult<T> { value: T }
class IterableIterator<T> extends Iterator<T> { }
class Generator<T, R, S> extends Iterator<T> {
  @return: R
  next(S): IteratorResult<T>
}
class AsyncIterable<T> {
  @each: T
}
class AsyncIterator<T> extends AsyncIterable<T> {
  next(): Promise<IteratorResult<T>>
}
class AsyncIterableIterator<T> extends AsyncIterator<T> { }
class AsyncGenerator<T, R, S> extends AsyncIterator<T> {
  @return: R
  next(S): Promise<IteratorResult<T>>
}
class Array<T> extends Iterable<T> {
  @index: T
  static from<T, U>(Iterable<T>, f: (T, Number) => U): Array<U | T>
  static of<T>(...T): Array<T>
  at(Number): T
  concat(...T): Array<T>
  entries(): Iterator<[Number, T]>
  every(f: (T, Number, Array<T>) => Boolean): Boolean
  fill(T): Array<T>
  filter<U>(f: (T, Number, Array<T>) => T is U): Array<U>
  find<U>(f: (T, Number, Array<T>) => T is U): U
  findIndex(f: (T, Number, Array<T>) => Boolean): Number
  findLast<U>(f: (T, Number, Array<T>) => T is U): U
  findLastIndex(f: (T, Number, Array<T>) => Boolean): Number
  flat(): Array<T>
  flatMap<U>(f: (T, Number, Array<T>) => Iterable<U>): Array<U>
  forEach(f: (T, Number, Array<T>) => Object)
  join(String): String
  keys(): Iterator<Number>
  map<U>(f: (T, Number, Array<T>) => U): Array<U>
  pop(): T
  push(...T): Number
  reduce<U>(f: (U, T, Number, Array<T>) => U, U): U
  reduceRight<U>(f: (U, T, Number, Array<T>) => U, U): U
  reverse(): Array<T>
  shift(): T
  slice(Number, Number): Array<T>
  some(f: (T, Number, Array<T>) => Boolean): Boolean
  sort(f: (T, T) => Number): Array<T>
  splice(Number, Number, ...T): Array<T>
  toReversed(): Array<T>
  toSorted(f: (T, T) => Number): Array<T>
  unshift(...T): Number
  values(): Iterator<T>
  with(Number, T): Array<T>
}
class ReadonlyArray<T> extends Array<T> { }
class ArrayLike<T> extends Array<T> { }
class Map<K, V> extends Iterable<[K, V]> {
  new(Iterable<[K, V]>)
  delete(K): Boolean
  entries(): Iterator<[K, V]>
  forEach(f: (V, K, Map<K, V>) => Object)
  get(K): V
  has(K): Boolean
  keys(): Iterator<K>
  set(K, V): this
  values(): Iterator<V>
  static groupBy<K, V>(Iterable<V>, f: (V) => K): Map<K, Array<V>>
}
class ReadonlyMap<K, V> extends Map<K, V> { }
class WeakMap<K, V> {
  get(K): V
  set(K, V): this
}
class Set<T> extends Iterable<T> {
  new(Iterable<T>)
  add(T): this
  entries(): Iterator<[T, T]>
  forEach(f: (T, T, Set<T>) => Object)
  keys(): Iterator<T>
  values(): Iterator<T>
  union(Set<T>): Set<T>
  intersection(Set<T>): Set<T>
  difference(Set<T>): Set<T>
}
class ReadonlySet<T> extends Set<T> { }
class WeakSet<T> { add(T): this }
class WeakRef<T> {
  new(T)
  deref(): T
}
class PromiseLike<T> {
  @await: T
  then<U, V>(f: (T) => Awaited<U>, g: (Error) => Awaited<V>): Promise<U | V>
}
class Promise<T> extends PromiseLike<T> {
  new(f: ((Awaited<T>) => Object, (Error) => Object) => Object)
  catch<U>(f: (Error) => Awaited<U>): Promise<T | U>
  finally(f: () => Object): Promise<T>
  static all<T>(Iterable<Awaited<T>>): Promise<Array<T>>
  static any<T>(Iterable<Awaited<T>>): Promise<T>
  static race<T>(Iterable<Awaited<T>>): Promise<T>
  static allSettled<T>(Iterable<Awaited<T>>): Promise<Array<PromiseSettledResult<T>>>
  static resolve<T>(Awaited<T>): Promise<T>
  static reject(Error): Promise<Object>
  static withResolvers<T>(): PromiseWithResolvers<T>
}
class PromiseSettledResult<T> { value: T }
class PromiseWithResolvers<T> {
  promise: Promise<T>
  resolve(Awaited<T>)
}
class Error { }
class Proxy { }
`;

const NAMES = new Set(
  `AbortController AbortSignal AggregateError ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Blob
  BroadcastChannel Buffer CustomEvent DOMException DataView Date Error EvalError Event EventTarget File
  FinalizationRegistry Float32Array Float64Array FormData Function Headers Infinity Int16Array Int32Array Int8Array
  Intl JSON Math MessageChannel MessagePort NaN Number Object Proxy RangeError ReadableStream ReferenceError Reflect
  Request Response SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TransformStream TypeError
  URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WebAssembly WebSocket WritableStream
  __dirname __filename alert arguments atob btoa clearImmediate clearInterval clearTimeout confirm console crypto
  decodeURI decodeURIComponent document encodeURI encodeURIComponent escape eval fetch global globalThis isFinite
  isNaN localStorage location module navigator parseFloat parseInt performance process prompt queueMicrotask
  requestAnimationFrame require sessionStorage setImmediate setInterval setTimeout structuredClone undefined unescape
  window string number boolean symbol bigint`.split(/\s+/),
);

/** What the compilers of Vue, Svelte and Astro declare in components. */
const COMPONENT_NAMES = new Set(
  `defineEmits defineExpose defineModel defineOptions defineProps defineSlots withDefaults
  $attrs $emit $el $event $forceUpdate $nextTick $parent $props $refs $root $slots $watch
  $bindable $derived $effect $host $inspect $state Astro`.split(/\s+/),
);

/** A global of ECMAScript, Node, browsers or components, or a primitive type. Types of `lib.d.ts` that only types use are left out. */
export function isBuiltinName(name: string): boolean {
  return NAMES.has(name) || COMPONENT_NAMES.has(name);
}
