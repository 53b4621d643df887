import type { LanguageRules } from '../language-rules.js';
import { RUST_BUILTINS } from './rust-builtins.js';
import { rustOperators } from './rust-operators.js';
import { rustModules } from './rust-modules.js';

const PRIMITIVES = new Set(
  'bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize str drop Some Ok Err'.split(' '),
);

/** Traits that all code sees, besides those with members among the builtin types. */
const PRELUDE = new Set(
  (
    'AsMut AsRef Clone Copy Debug Drop Eq Extend Fn FnMut FnOnce From FromIterator Hash Into Ord PartialEq PartialOrd ' +
    'Send Sized Sync ToOwned ToString TryFrom TryInto Unpin'
  ).split(' '),
);

const NUMBERS = 'i64 usize u32 u64 u8 f64 f32 i8 i16 u16 isize i128 u128'.split(' ');

/** Methods that many types of the standard library have. */
const COMMON_MEMBERS = (
  'as_mut as_ref as_str await borrow build clone cloned collect cmp default drain eq expect extend finish fmt fold ' +
  'from hash insert into into_iter iter iter_mut lock message name parse path read send spawn take to_owned to_string ' +
  'try_from unwrap unwrap_or with_capacity write'
).split(' ');

/** Rust: files are modules of crates; types have the members of their `impl` blocks and traits. */
export const rust: LanguageRules = {
  modules: rustModules,
  builtins: RUST_BUILTINS,
  builtinModules: [
    'std::boxed',
    'std::cell',
    'std::collections',
    'std::io',
    'std::iter',
    'std::option',
    'std::rc',
    'std::result',
    'std::sync',
    'std::vec',
  ],
  literals: { string: 'str', boolean: 'bool', number: 'i32', list: 'Vec', tuple: 'tuple', set: 'Range' },
  // A number that is written out has the type that the code around it expects.
  conversions: { i32: NUMBERS },
  topType: 'Any',
  overloads: 'arguments',
  methodNames: 'called',
  functionsBesideModules: true,
  namedTypesAreValues: true,
  finalClasses: true,
  lateStatic: true,
  protocol: { index: 'index', changedIndex: 'index_mut', each: 'into_iter', next: 'next' },
  dereference: 'deref',
  loopsOverIterators: [],
  associatedTypes: { Iterator: 'Item', IntoIterator: 'Item', Future: 'Output' },
  conversionCalls: {
    into: { member: 'from', external: 'Into.into' },
    try_into: { member: 'try_from', wrapper: 'Result', external: 'TryInto.try_into' },
    parse: { member: 'from_str', wrapper: 'Result', external: 'str.parse' },
    collect: { member: 'from_iter', external: 'Iterator.collect', isOwn: true },
    sum: { member: 'sum', external: 'Iterator.sum', isOwn: true },
    product: { member: 'product', external: 'Iterator.product', isOwn: true },
    default: { member: 'default', external: 'Default.default', isStatic: true },
  },
  errorConversion: 'from',
  operationsCall: true,
  operators: rustOperators,
  fieldsInOrder: true,
  commonMembers: COMMON_MEMBERS,
  isBuiltin: (name) => PRIMITIVES.has(name) || PRELUDE.has(name) || name.endsWith('!'),
};
