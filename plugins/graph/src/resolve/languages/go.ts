import type { LanguageRules } from '../language-rules.js';
import { goModules } from './go-modules.js';

/** A channel is a map of its elements to themselves: see the lowering of Go. */
const BUILTINS = `
  class string { @index: byte @keys: int }
  class slice<T> { @each: T @index: T @keys: int }
  class map<K, V> { @each: V @index: V @keys: K }
  class tuple<T> { @each: T @index: T }
  class error { Error(): string }
`;

const NAMES = new Set(
  (
    'append cap clear close complex copy delete imag len make max min new panic print println real recover ' +
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string ' +
    'uint uint8 uint16 uint32 uint64 uintptr'
  ).split(' '),
);

/** Go: packages are directories, types satisfy interfaces by their methods. */
export const go: LanguageRules = {
  modules: goModules,
  builtins: BUILTINS,
  literals: { string: 'string', list: 'slice', tuple: 'tuple', object: 'map' },
  memberOrder: 'breadth_first',
  staticTypes: true,
  callConverts: true,
  fieldsInOrder: true,
  callMember: '@call',
  structuralInterfaces: 'exact',
  isBuiltin: (name) => NAMES.has(name),
};
