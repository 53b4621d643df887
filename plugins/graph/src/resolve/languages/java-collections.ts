/** Collections of java.util. See `builtins.ts`. */
export const JAVA_COLLECTIONS = `
class Iterator<T> { @each: T  next(): T  hasNext(): boolean }
class ListIterator<T> extends Iterator<T> { previous(): T }
class Iterable<T> { @each: T  iterator(): Iterator<T>  forEach((T) => any) }
class Collection<T> extends Iterable<T> {
  add(T)
  addAll(Collection<T>)
  remove(T)
  removeIf((T) => any)
  stream(): Stream<T>
  parallelStream(): Stream<T>
  toArray(any): T[]
  contains(any): boolean
  size(): int
}
class AbstractCollection<T> extends Collection<T> {}
class List<T> extends Collection<T> {
  static of<E>(...E): List<E>
  static copyOf<E>(Collection<E>): List<E>
  get(any): T
  getFirst(): T
  getLast(): T
  remove(any): T
  removeFirst(): T
  removeLast(): T
  set(any, T): T
  add(any, T)
  subList(any, any): List<T>
  listIterator(): ListIterator<T>
  sort((T, T) => any)
  replaceAll((T) => T)
  reversed(): List<T>
}
class AbstractList<T> extends List<T> {}
class ArrayList<T> extends List<T> { new(Collection<T>) }
class CopyOnWriteArrayList<T> extends List<T> { new(Collection<T>) }
class Vector<T> extends List<T> { elementAt(any): T  firstElement(): T  lastElement(): T  addElement(T) }
class Stack<T> extends Vector<T> { push(T): T  pop(): T  peek(): T }
class Queue<T> extends Collection<T> { offer(T)  poll(): T  peek(): T  element(): T  remove(): T }
class BlockingQueue<T> extends Queue<T> { put(T)  take(): T }
class LinkedBlockingQueue<T> extends BlockingQueue<T> { new(Collection<T>) }
class ArrayBlockingQueue<T> extends BlockingQueue<T> {}
class ConcurrentLinkedQueue<T> extends Queue<T> { new(Collection<T>) }
class ConcurrentLinkedDeque<T> extends Deque<T> {}
class LinkedBlockingDeque<T> extends Deque<T> { take(): T  put(T) }
class PriorityQueue<T> extends Queue<T> { new(Collection<T>) }
class Deque<T> extends Queue<T> {
  push(T)
  pop(): T
  addFirst(T)
  addLast(T)
  offerFirst(T)
  offerLast(T)
  getFirst(): T
  getLast(): T
  peekFirst(): T
  peekLast(): T
  pollFirst(): T
  pollLast(): T
  removeFirst(): T
  removeLast(): T
  descendingIterator(): Iterator<T>
}
class ArrayDeque<T> extends Deque<T> { new(Collection<T>) }
class LinkedList<T> extends List<T>, Deque<T> { new(Collection<T>) }
class Set<T> extends Collection<T> { static of<E>(...E): Set<E>  static copyOf<E>(Collection<E>): Set<E> }
class HashSet<T> extends Set<T> { new(Collection<T>) }
class LinkedHashSet<T> extends Set<T> { new(Collection<T>) }
class EnumSet<T> extends Set<T> { static of<E>(...E): EnumSet<E> }
class SortedSet<T> extends Set<T> { first(): T  last(): T  headSet(any): SortedSet<T>  tailSet(any): SortedSet<T> }
class NavigableSet<T> extends SortedSet<T> {
  floor(any): T
  ceiling(any): T
  lower(any): T
  higher(any): T
  pollFirst(): T
  pollLast(): T
}
class TreeSet<T> extends NavigableSet<T> { new(Collection<T>) }
class Entry<K, V> { getKey(): K  getValue(): V  setValue(V): V }
class Map<K, V> {
  static of<A, B>(A, B, A, B, A, B, A, B): Map<A, B>
  static entry<A, B>(A, B): Entry<A, B>
  static ofEntries<A, B>(...Entry<A, B>): Map<A, B>
  static copyOf<A, B>(Map<A, B>): Map<A, B>
  get(any): V
  getOrDefault(any, V): V
  put(K, V): V
  putAll(Map<K, V>)
  putIfAbsent(K, V): V
  remove(any): V
  replace(K, V): V
  keySet(): Set<K>
  values(): Collection<V>
  entrySet(): Set<Entry<K, V>>
  forEach((K, V) => any)
  computeIfAbsent(K, (K) => V): V
  computeIfPresent(K, (K, V) => V): V
  compute(K, (K, V) => V): V
  merge(K, V, (V, V) => V): V
  replaceAll((K, V) => V)
  containsKey(any): boolean
  size(): int
}
class AbstractMap<K, V> extends Map<K, V> {}
class HashMap<K, V> extends Map<K, V> { new(Map<K, V>) }
class LinkedHashMap<K, V> extends Map<K, V> { new(Map<K, V>) }
class Hashtable<K, V> extends Map<K, V> {}
class IdentityHashMap<K, V> extends Map<K, V> {}
class WeakHashMap<K, V> extends Map<K, V> {}
class EnumMap<K, V> extends Map<K, V> {}
class ConcurrentMap<K, V> extends Map<K, V> {}
class ConcurrentHashMap<K, V> extends ConcurrentMap<K, V> { new(Map<K, V>) }
class SortedMap<K, V> extends Map<K, V> { headMap(any): SortedMap<K, V>  tailMap(any): SortedMap<K, V> }
class NavigableMap<K, V> extends SortedMap<K, V> {
  firstEntry(): Entry<K, V>
  lastEntry(): Entry<K, V>
  floorEntry(any): Entry<K, V>
  ceilingEntry(any): Entry<K, V>
  pollFirstEntry(): Entry<K, V>
}
class TreeMap<K, V> extends NavigableMap<K, V> { new(Map<K, V>) }
class ConcurrentSkipListMap<K, V> extends NavigableMap<K, V> {}
`;
