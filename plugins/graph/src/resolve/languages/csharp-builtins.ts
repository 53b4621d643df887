const VALUES = `
class object { Equals(any): bool  GetHashCode(): int  ToString(any): string  GetType(): Type }
class Type { Name: string }
class dynamic {}
class bool {}
class sbyte {}
class byte {}
class short {}
class ushort {}
class char {}
class int { static Parse(any): int }
class uint {}
class long {}
class ulong {}
class float {}
class double { static Parse(any): double }
class decimal {}
class string {
  static Empty: string
  static Join(any, any): string
  static Format(any, any): string
  static Concat(any, any): string
  static IsNullOrEmpty(any): bool
  static IsNullOrWhiteSpace(any): bool
  Length: int
  @each: char
  @index: char
  Trim(any): string
  TrimStart(any): string
  TrimEnd(any): string
  Substring(any, any): string
  ToLower(): string
  ToUpper(): string
  ToLowerInvariant(): string
  ToUpperInvariant(): string
  Replace(any, any): string
  Insert(any, any): string
  Remove(any, any): string
  PadLeft(any, any): string
  PadRight(any, any): string
  Split(any, any): string[]
  ToCharArray(): char[]
  IndexOf(any): int
  LastIndexOf(any): int
  Contains(any): bool
  StartsWith(any, any): bool
  EndsWith(any, any): bool
  Equals(any, any): bool
}
class Convert {
  static ToBoolean(any, any): bool
  static ToByte(any, any): byte
  static ToSByte(any, any): sbyte
  static ToChar(any, any): char
  static ToInt16(any, any): short
  static ToUInt16(any, any): ushort
  static ToInt32(any, any): int
  static ToUInt32(any, any): uint
  static ToInt64(any, any): long
  static ToUInt64(any, any): ulong
  static ToSingle(any, any): float
  static ToDouble(any, any): double
  static ToDecimal(any, any): decimal
  static ToString(any, any): string
  static ToBase64String(any, any): string
  static FromBase64String(any): byte[]
}
`;

const COLLECTIONS = `
class IEnumerator<T> { @each: T  Current: T  MoveNext(): bool }
class IEnumerable<T> {
  @each: T
  GetEnumerator(): IEnumerator<T>
  Where((T) => any): IEnumerable<T>
  Select<U>((T) => U): IEnumerable<U>
  SelectMany<U>((T) => IEnumerable<U>): IEnumerable<U>
  OrderBy((T) => any): IEnumerable<T>
  OrderByDescending((T) => any): IEnumerable<T>
  ThenBy((T) => any): IEnumerable<T>
  ThenByDescending((T) => any): IEnumerable<T>
  GroupBy<K>((T) => K): IEnumerable<IGrouping<K, T>>
  ToLookup<K>((T) => K): IEnumerable<IGrouping<K, T>>
  ToDictionary<K, V>((T) => K, (T) => V): Dictionary<K, V>
  Join<U, V>(IEnumerable<U>, (T) => any, (U) => any, (T, U) => V): IEnumerable<V>
  Zip<U, V>(IEnumerable<U>, (T, U) => V): IEnumerable<V>
  Aggregate<U>(U, (U, T) => U): U
  First((T) => any): T
  FirstOrDefault((T) => any): T
  Last((T) => any): T
  LastOrDefault((T) => any): T
  Single((T) => any): T
  SingleOrDefault((T) => any): T
  ElementAt(any): T
  ElementAtOrDefault(any): T
  Min((T) => any): T
  Max((T) => any): T
  MinBy((T) => any): T
  MaxBy((T) => any): T
  Sum((T) => any): int
  Average((T) => any): double
  Count((T) => any): int
  Any((T) => any): bool
  All((T) => any): bool
  Take(any): IEnumerable<T>
  TakeWhile((T) => any): IEnumerable<T>
  Skip(any): IEnumerable<T>
  SkipWhile((T) => any): IEnumerable<T>
  Distinct(): IEnumerable<T>
  DistinctBy((T) => any): IEnumerable<T>
  Concat(IEnumerable<T>): IEnumerable<T>
  Union(IEnumerable<T>): IEnumerable<T>
  Except(IEnumerable<T>): IEnumerable<T>
  Intersect(IEnumerable<T>): IEnumerable<T>
  Append(T): IEnumerable<T>
  Prepend(T): IEnumerable<T>
  Reverse(): IEnumerable<T>
  DefaultIfEmpty(T): IEnumerable<T>
  OfType<U>(): IEnumerable<U>
  Cast<U>(): IEnumerable<U>
  AsEnumerable(): IEnumerable<T>
  AsQueryable(): IQueryable<T>
  Chunk(any): IEnumerable<T[]>
  ToList(): List<T>
  ToArray(): T[]
  ToHashSet(): HashSet<T>
}
class IQueryable<T> extends IEnumerable<T> {}
class IOrderedEnumerable<T> extends IEnumerable<T> {}
class IAsyncEnumerable<T> { @each: T }
class IGrouping<K, T> extends IEnumerable<T> { Key: K }
class IReadOnlyCollection<T> extends IEnumerable<T> {}
class ICollection<T> extends IEnumerable<T> { Add(T)  Remove(T): bool  Contains(T): bool }
class IReadOnlyList<T> extends IReadOnlyCollection<T> { @index: T }
class IList<T> extends ICollection<T> { @index: T  Insert(any, T) }
class List<T> extends IList<T> {
  AddRange(IEnumerable<T>)
  InsertRange(any, IEnumerable<T>)
  ForEach((T) => any)
  Find((T) => any): T
  FindLast((T) => any): T
  FindAll((T) => any): List<T>
  FindIndex((T) => any): int
  Exists((T) => any): bool
  TrueForAll((T) => any): bool
  RemoveAll((T) => any): int
  ConvertAll<U>((T) => U): List<U>
  GetRange(any, any): List<T>
  Sort((T, T) => any)
}
class Array<T> extends IList<T>, IReadOnlyList<T> { Length: int }
class Collection<T> extends IList<T> {}
class ObservableCollection<T> extends IList<T> {}
class ImmutableArray<T> extends IReadOnlyList<T> {}
class ImmutableList<T> extends IReadOnlyList<T> {}
class Span<T> { @each: T  @index: T }
class ReadOnlySpan<T> { @each: T  @index: T }
class ISet<T> extends ICollection<T> { UnionWith(IEnumerable<T>) }
class HashSet<T> extends ISet<T> {}
class SortedSet<T> extends ISet<T> {}
class LinkedList<T> extends ICollection<T> { AddFirst(T)  AddLast(T) }
class Queue<T> extends IEnumerable<T> { Enqueue(T)  Dequeue(): T  Peek(): T }
class ConcurrentQueue<T> extends IEnumerable<T> { Enqueue(T) }
class ConcurrentBag<T> extends IEnumerable<T> { Add(T) }
class Stack<T> extends IEnumerable<T> { Push(T)  Pop(): T  Peek(): T }
class KeyValuePair<K, V> { Key: K  Value: V  @index: V }
class IDictionary<K, V> extends IEnumerable<KeyValuePair<K, V>> {
  @index: V
  Keys: ICollection<K>
  Values: ICollection<V>
  Add(K, V)
  TryAdd(K, V): bool
  ContainsKey(K): bool
  GetValueOrDefault(K, V): V
}
class IReadOnlyDictionary<K, V> extends IDictionary<K, V> {}
class Dictionary<K, V> extends IDictionary<K, V> {}
class SortedDictionary<K, V> extends IDictionary<K, V> {}
class SortedList<K, V> extends IDictionary<K, V> {}
class ImmutableDictionary<K, V> extends IDictionary<K, V> {}
class ConcurrentDictionary<K, V> extends IDictionary<K, V> {
  GetOrAdd(K, (K) => V): V
  AddOrUpdate(K, V, (K, V) => V): V
}
`;

const FUNCTIONS = `
class Task<T> {
  static FromResult<U>(U): Task<U>
  static Run<U>(() => U): Task<U>
  static WhenAll<U>(IEnumerable<Task<U>>): Task<U[]>
  static WhenAny<U>(IEnumerable<Task<U>>): Task<Task<U>>
  @await: T
  Result: T
  ConfigureAwait(any): Task<T>
  GetAwaiter(): Task<T>
  GetResult(): T
  ContinueWith<U>((Task<T>) => U): Task<U>
}
class ValueTask<T> { @await: T  Result: T  ConfigureAwait(any): ValueTask<T>  AsTask(): Task<T> }
class Lazy<T> { Value: T }
class Nullable<T> { Value: T  HasValue: bool  GetValueOrDefault(any): T }
`;

/** Types of System, its collections, LINQ and tasks that pass values on. See `builtins.ts`. */
export const CSHARP_BUILTINS = VALUES + COLLECTIONS + FUNCTIONS;
