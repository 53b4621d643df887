import type { LanguageRules } from '../language-rules.js';
import { phpModules } from './php-modules.js';

/** Arrays and iterators. A function that gives an array of values of the project is a class that extends it. */
const BUILTINS = `
class Traversable<T> { @each: T }
class array<T> extends Traversable<T> { @index: T }
class Iterator<T> extends Traversable<T> { current(): T }
class Generator<T> extends Iterator<T> { getReturn(): any  send(any): T }
class IteratorAggregate<T> extends Traversable<T> { getIterator(): Iterator<T> }
class ArrayIterator<T> extends Iterator<T> { new(array<T>)  @index: T }
class ArrayObject<T> extends Traversable<T> { new(array<T>)  @index: T  append(T) }
class SplObjectStorage<T> extends Iterator<T> { attach(T) }
class SplDoublyLinkedList<T> extends Iterator<T> { @index: T  push(T)  pop(): T  shift(): T  unshift(T)  top(): T }
class SplQueue<T> extends SplDoublyLinkedList<T> { enqueue(T)  dequeue(): T }
class SplStack<T> extends SplDoublyLinkedList<T> {}
class WeakMap<T> extends Traversable<T> { @index: T }

class array_map<U> extends array<U> { new<T>((T) => U, Traversable<T>) }
class array_filter<T> extends array<T> { new(Traversable<T>, (T) => any) }
class array_values<T> extends array<T> { new(Traversable<T>) }
class array_merge<T> extends array<T> { new(...Traversable<T>) }
class array_slice<T> extends array<T> { new(Traversable<T>) }
class array_reverse<T> extends array<T> { new(Traversable<T>) }
class array_unique<T> extends array<T> { new(Traversable<T>) }
class iterator_to_array<T> extends array<T> { new(Traversable<T>) }
class array_walk<T> { new(Traversable<T>, (T) => any) }
class usort<T> { new(Traversable<T>, (T, T) => any) }
class uasort<T> { new(Traversable<T>, (T, T) => any) }
function array_reduce<T, U>(Traversable<T>, (U, T) => U, U): U
function call_user_func<U>(() => U, ...any): U
function call_user_func_array<U>(() => U, any): U
`;

/** Members that run an operation on an object. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  string: ['__toString'],
  isset: ['offsetExists'],
  unset: ['offsetUnset'],
  clone: ['__clone'],
};

/** `isset($a->b)` and `unset($a->b)`, with the member. */
const OF_MEMBER = /^(isset|unset)\.(.*)$/s;

function operatorNames(operator: string): readonly string[] {
  const [, run] = OF_MEMBER.exec(operator) ?? [];
  return run === undefined ? (OPERATIONS[operator] ?? []) : [`__${run}`];
}

export const php: LanguageRules = {
  modules: phpModules,
  builtins: BUILTINS,
  literals: { list: 'array', tuple: 'array', object: 'array', generator: 'Generator' },
  assignedNames: 'local',
  namespaces: 'shared',
  overrides: 'visible',
  constructors: ['__construct'],
  builtinsCall: true,
  callMember: '__invoke',
  missingMember: '__get',
  storingMissing: '__set',
  missingCall: { object: '__call', class: '__callStatic' },
  lateStatic: true,
  protocol: { index: 'offsetGet', setIndex: 'offsetSet', each: 'getIterator', next: 'current' },
  loopsOverIterators: ['rewind', 'valid', 'next'],
  operationsCall: true,
  operators: { names: operatorNames, missing: (operator) => OF_MEMBER.exec(operator)?.[2] },
  memberCalls: new Map([
    ['count', ['count']],
    ['json_encode', ['jsonSerialize']],
    ['strval', ['__toString']],
  ]),
  // Variables are always of the program; functions and classes that it does not declare come from extensions.
  isBuiltin: (name) => name !== '' && !name.startsWith('$'),
};
