import type { LanguageRules } from '../language-rules.js';
import { RUST_BUILTINS } from './rust-builtins.js';
import { rustOperators } from './rust-operators.js';
import { rustModules } from './rust-modules.js';

const PRIMITIVES = new Set(
  'bool char f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize str drop'.split(' '),
);

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
    'std::iter',
    'std::option',
    'std::rc',
    'std::result',
    'std::sync',
    'std::vec',
  ],
  literals: { string: 'String', list: 'Vec', tuple: 'tuple' },
  topType: 'Any',
  overloads: 'arguments',
  methodNames: 'called',
  finalClasses: true,
  protocol: { index: 'index', changedIndex: 'index_mut' },
  dereference: 'deref',
  operationsCall: true,
  operators: rustOperators,
  fieldsInOrder: true,
  commonMembers: COMMON_MEMBERS,
  isBuiltin: (name) => PRIMITIVES.has(name) || name.endsWith('!'),
};
