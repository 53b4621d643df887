import { JAVA_COLLECTIONS } from './java-collections.js';

const JAVA_TYPES = `
class Object { equals(any): boolean  hashCode(): int  toString(): String  getClass(): Class<any>  notify()  notifyAll()  wait(any) }
class Class<T> { getName(): String  getSimpleName(): String  cast(any): T  isInstance(any): boolean }
class byte {}
class short {}
class char {}
class int {}
class long {}
class float {}
class double {}
class boolean {}
class Number { intValue(): int  longValue(): long  doubleValue(): double  floatValue(): float }
class Byte extends Number { static MAX_VALUE: byte  static MIN_VALUE: byte  static parseByte(any, any): byte  static toUnsignedInt(any): int }
class Short extends Number { static MAX_VALUE: short  static MIN_VALUE: short  static parseShort(any, any): short }
class Character {
  static MAX_VALUE: char
  static MIN_VALUE: char
  static isDigit(any): boolean
  static isLetter(any): boolean
  static isWhitespace(any): boolean
  charValue(): char
}
class Integer extends Number {
  static MAX_VALUE: int
  static MIN_VALUE: int
  static parseInt(any, any): int
  static valueOf(any, any): Integer
  static toString(any, any): String
  static toHexString(any): String
  static compare(any, any): int
}
class Long extends Number {
  static MAX_VALUE: long
  static MIN_VALUE: long
  static parseLong(any, any): long
  static valueOf(any, any): Long
  static toString(any, any): String
  static toHexString(any): String
  static compare(any, any): int
}
class Float extends Number { static MAX_VALUE: float  static MIN_VALUE: float  static parseFloat(any): float  static valueOf(any): Float }
class Double extends Number { static MAX_VALUE: double  static MIN_VALUE: double  static parseDouble(any): double  static valueOf(any): Double  static compare(any, any): int }
class Boolean { static TRUE: Boolean  static FALSE: Boolean  static parseBoolean(any): boolean  static valueOf(any): Boolean  booleanValue(): boolean }
class Math {
  static max<T>(T, T): T
  static min<T>(T, T): T
  static abs<T>(T): T
  static floor(any): double
  static ceil(any): double
  static sqrt(any): double
  static pow(any, any): double
  static random(): double
  static toIntExact(any): int
}
class System { static currentTimeMillis(): long  static nanoTime(): long  static getProperty(any, any): String  static getenv(any): String  static lineSeparator(): String  static identityHashCode(any): int }
class CharSequence { length(): int  charAt(any): char  subSequence(any, any): CharSequence }
class String extends CharSequence {
  static valueOf(any): String
  static format(any): String
  static join(any): String
  trim(): String
  strip(): String
  substring(any, any): String
  toLowerCase(any): String
  toUpperCase(any): String
  replace(any, any): String
  replaceAll(any, any): String
  concat(any): String
  repeat(any): String
  formatted(any): String
  split(any): String[]
  indexOf(any): int
  lastIndexOf(any): int
  hashCode(): int
  isEmpty(): boolean
  isBlank(): boolean
  equals(any): boolean
  equalsIgnoreCase(any): boolean
  startsWith(any): boolean
  endsWith(any): boolean
  contains(any): boolean
  compareTo(any): int
}
class StringBuilder extends CharSequence { append(any): StringBuilder  insert(any, any): StringBuilder  toString(): String }
class StringBuffer extends CharSequence { append(any): StringBuffer  toString(): String }
class Array<T> { @each: T  @index: T  length: int  clone(): Array<T> }
class Throwable { getMessage(): String  getCause(): Throwable }
class Exception extends Throwable {}
class RuntimeException extends Exception {}
class Error extends Throwable {}
class Optional<T> {
  static of<E>(E): Optional<E>
  static ofNullable<E>(E): Optional<E>
  get(): T
  orElse(T): T
  orElseGet(() => T): T
  orElseThrow(any): T
  or(() => Optional<T>): Optional<T>
  ifPresent((T) => any)
  ifPresentOrElse((T) => any, () => any)
  filter((T) => any): Optional<T>
  map<U>((T) => U): Optional<U>
  flatMap<U>((T) => Optional<U>): Optional<U>
  stream(): Stream<T>
  isPresent(): boolean
}
class IntStream {
  static range(any, any): IntStream
  mapToObj<U>((int) => U): Stream<U>
  boxed(): Stream<int>
  map((int) => any): IntStream
  filter((int) => any): IntStream
  forEach((int) => any)
  sum(): int
}
class Collector<T> { result: T }
class Collectors {
  static toList<T>(): Collector<List<T>>
  static toSet<T>(): Collector<Set<T>>
}
class Stream<T> {
  static of<E>(...E): Stream<E>
  static concat<E>(Stream<E>, Stream<E>): Stream<E>
  static generate<E>(() => E): Stream<E>
  static iterate<E>(E, (E) => E): Stream<E>
  @each: T
  filter((T) => any): Stream<T>
  map<U>((T) => U): Stream<U>
  mapMulti(any): Stream<any>
  flatMap<U>((T) => Stream<U>): Stream<U>
  mapToInt((T) => any): IntStream
  mapToLong((T) => any): IntStream
  mapToDouble((T) => any): IntStream
  peek((T) => any): Stream<T>
  distinct(): Stream<T>
  sorted((T, T) => any): Stream<T>
  limit(any): Stream<T>
  skip(any): Stream<T>
  takeWhile((T) => any): Stream<T>
  dropWhile((T) => any): Stream<T>
  parallel(): Stream<T>
  sequential(): Stream<T>
  unordered(): Stream<T>
  onClose(any): Stream<T>
  forEach((T) => any)
  forEachOrdered((T) => any)
  anyMatch((T) => any): boolean
  allMatch((T) => any): boolean
  noneMatch((T) => any): boolean
  findFirst(): Optional<T>
  findAny(): Optional<T>
  min((T, T) => any): Optional<T>
  max((T, T) => any): Optional<T>
  reduce(T, (T, T) => T): T
  collect(any): List<T>
  toList(): List<T>
  toArray(any): T[]
  iterator(): Iterator<T>
  count(): long
}
class Arrays { static asList<T>(...T): List<T>  static stream<T>(T[]): Stream<T>  static copyOf<T>(T[], any): T[]  static sort<T>(T[], any) }
class Collections {
  static emptyList<T>(): List<T>
  static emptySet<T>(): Set<T>
  static emptyMap<K, V>(): Map<K, V>
  static unmodifiableList<T>(List<T>): List<T>
  static unmodifiableSet<T>(Set<T>): Set<T>
  static unmodifiableCollection<T>(Collection<T>): Collection<T>
  static unmodifiableMap<K, V>(Map<K, V>): Map<K, V>
  static synchronizedList<T>(List<T>): List<T>
  static synchronizedMap<K, V>(Map<K, V>): Map<K, V>
  static singletonList<T>(T): List<T>
  static singleton<T>(T): Set<T>
  static max<T>(Collection<T>, any): T
  static min<T>(Collection<T>, any): T
  static sort<T>(List<T>, (T, T) => any)
}
class Objects {
  static equals(any, any): boolean
  static hash(...any): int
  static toString(any, any): String
  static requireNonNull<T>(T, any): T
  static requireNonNullElse<T>(T, T): T
}
class Function<T, R> { apply(T): R }
class BiFunction<T, U, R> { apply(T, U): R }
class UnaryOperator<T> { apply(T): T }
class BinaryOperator<T> { apply(T, T): T }
class Supplier<T> { get(): T }
class Consumer<T> { accept(T) }
class BiConsumer<T, U> { accept(T, U) }
class Predicate<T> { test(T): boolean }
class BiPredicate<T, U> { test(T, U): boolean }
class ToIntFunction<T> { applyAsInt(T): int }
class ToLongFunction<T> { applyAsLong(T): long }
class ToDoubleFunction<T> { applyAsDouble(T): double }
class IntFunction<R> { apply(int): R }
class Comparator<T> { compare(T, T): int }
class Runnable { run() }
class Callable<T> { call(): T }
class Thread { static ofVirtual(): any  start()  join() }
class Future<T> { get(any): T  join(): T }
class ExecutorService { submit<T>(() => T): Future<T>  execute(() => any) }
class CompletableFuture<T> extends Future<T> {
  static supplyAsync<U>(() => U, any): CompletableFuture<U>
  static runAsync(() => any, any): CompletableFuture<any>
  static completedFuture<U>(U): CompletableFuture<U>
  getNow(T): T
  complete(T)
  thenApply<U>((T) => U): CompletableFuture<U>
  thenApplyAsync<U>((T) => U): CompletableFuture<U>
  thenCompose<U>((T) => CompletableFuture<U>): CompletableFuture<U>
  thenAccept((T) => any): CompletableFuture<any>
  thenRun(() => any): CompletableFuture<any>
  thenCombine<U, V>(CompletableFuture<U>, (T, U) => V): CompletableFuture<V>
  handle<U>((T, any) => U): CompletableFuture<U>
  whenComplete((T, any) => any): CompletableFuture<T>
  exceptionally((any) => T): CompletableFuture<T>
}
class AtomicReference<T> { get(): T  set(T)  getAndSet(T): T  updateAndGet((T) => T): T  compareAndSet(T, T): boolean }
class ThreadLocal<T> { static withInitial<E>(() => E): ThreadLocal<E>  get(): T  set(T) }
class WeakReference<T> { get(): T }
class SoftReference<T> { get(): T }
`;

/** Types of java.lang and java.util that pass values on. See `builtins.ts`. */
export const JAVA_BUILTINS = JAVA_COLLECTIONS + JAVA_TYPES;
