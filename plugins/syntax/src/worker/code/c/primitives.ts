import type { Expression, NamedType, Type } from '../../../code.js';
import { literalOf } from '../values.js';

type Place = Pick<NamedType, 'start' | 'line'>;

/** Names that a type has on the platforms of today, by what it is there. Others keep their own: `bool`, `char16_t`. */
const SAME = new Map(
  Object.entries({
    int8_t: 'signed_char',
    uint8_t: 'unsigned_char',
    int16_t: 'short',
    uint16_t: 'unsigned_short',
    int32_t: 'int',
    uint32_t: 'unsigned_int',
    int64_t: 'long',
    uint64_t: 'unsigned_long',
    intptr_t: 'long',
    ptrdiff_t: 'long',
    ssize_t: 'long',
    uintptr_t: 'unsigned_long',
    size_t: 'unsigned_long',
  }),
);

/** The type of a number or character of C++: `unsigned long int` is `unsigned_long`. Undefined for `void`. */
export function primitiveType(text: string, at: Place): Type | undefined {
  const words = text.split(/\s+/).filter((word) => word !== 'const' && word !== 'volatile');
  const [only = ''] = words;
  if (only === 'void' || only === 'nullptr_t') return undefined;
  return {
    kind: 'named',
    ...at,
    path: [words.length === 1 && SAME.has(only) ? nameOf(only) : joined(words)],
  };
}

function nameOf(word: string): string {
  return SAME.get(word) ?? word;
}

function joined(words: readonly string[]): string {
  const longs = words.filter((word) => word === 'long').length;
  const base = words.find((word) => !/^(?:signed|unsigned|long|short|int)$/.test(word));
  const size = words.includes('short') ? 'short' : 'long_'.repeat(longs).slice(0, -1);
  const name = [size, base ?? (size === '' ? 'int' : '')].filter((part) => part !== '').join('_');
  if (words.includes('unsigned')) return `unsigned_${name}`;
  return words.includes('signed') && base === 'char' ? 'signed_char' : name;
}

const NUMBER =
  /^(?:(?:un)?signed_)?(?:char|short|int|long(?:_long)?)$|^(?:bool|float|(?:long_)?double|wchar_t|char(?:8|16|32)_t)$/;

/** True for a type that constructs nothing. */
export function isPrimitive(type: Type | undefined): boolean {
  return type?.kind === 'named' && type.path.length === 1 && NUMBER.test(type.path[0] ?? '');
}

/** A literal with the type that its form gives it: `1` is an `int`, `1.5` a `double`, `1u` an `unsigned int`. */
export function numberOf(text: string, at: Place): Expression {
  const value = literalOf('number', text);
  const isHex = /^0[xX]/.test(text);
  const isReal = isHex ? /[pP]/.test(text) : /[.eE]/.test(text);
  const suffix = (
    /(?:(?<![uUlLzZ])[uUlLzZ]+|[fF])$/.exec(
      isHex && !isReal ? text.replace(/(?<![fF])[fF]+$/, '') : text,
    )?.[0] ?? ''
  ).toLowerCase();
  if (!isReal && suffix === '') return value;
  const real = suffix === 'f' ? 'float' : suffix === 'l' ? 'long_double' : 'double';
  const size = suffix.includes('ll') ? 'long_long' : /[lz]/.test(suffix) ? 'long' : 'int';
  const name = isReal ? real : `${suffix.includes('u') ? 'unsigned_' : ''}${size}`;
  return { kind: 'cast', value, type: { kind: 'named', ...at, path: [name] } };
}
