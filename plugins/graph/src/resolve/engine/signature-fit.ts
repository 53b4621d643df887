import type { Class } from '../declarations.js';
import { functionOf, type Instance, type Value } from '../values.js';
import type { Engine } from './engine.js';

/** Whether a value is of a type: `maybe` where too little is known. */
export type Fit = 'yes' | 'maybe' | 'no';

const PRIMITIVES: ReadonlySet<string> = new Set(['String', 'Number', 'Boolean']);
/** Names of their types. */
const PLAIN_TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'String'],
  ['number', 'Number'],
  ['boolean', 'Boolean'],
]);
/** Types that objects of any class may have. */
const OPEN: ReadonlySet<string> = new Set(['Object', 'Record', 'Iterable', 'AsyncIterable', 'PromiseLike']);

export function isPlainType(name = ''): boolean {
  return PLAIN_TYPES.has(name);
}

/** All of several; none of them makes it certain. With `differ`, one of several that does not fit makes it uncertain only. */
export function allOf(fitting: readonly Fit[], differing?: 'differ'): Fit {
  if (fitting.every((each) => each === 'yes')) return 'yes';
  const isOut = differing ? fitting.every((each) => each === 'no') : fitting.includes('no');
  return isOut ? 'no' : 'maybe';
}

/** One of several. */
export function anyOf(fitting: readonly Fit[]): Fit {
  if (fitting.includes('yes')) return 'yes';
  return fitting.every((each) => each === 'no') ? 'no' : 'maybe';
}

/** Whether TypeScript lets a value of what is known pass for a type. */
export function fits(engine: Engine, value: Value, type: Value): Fit {
  if (type.kind === 'signature') return ofFunctions(engine, value);
  const plain = type.kind === 'external' && type.module === '' ? PLAIN_TYPES.get(type.name) : undefined;
  if (plain !== undefined) return ofPlain(engine, value, plain);
  if (type.kind !== 'instance') return value === type ? 'yes' : 'maybe';
  if (functionOf(value) || value.kind === 'signature' || value.kind === 'class')
    return isPlain(engine, type.class) || isNominal(engine, type.class) ? 'no' : 'maybe';
  return value.kind === 'instance' ? ofInstance(engine, value, type) : 'maybe';
}

function ofPlain(engine: Engine, value: Value, name: string): Fit {
  if (value.kind === 'external' && value.module === '' && PLAIN_TYPES.has(value.name))
    return PLAIN_TYPES.get(value.name) === name ? 'yes' : 'no';
  if (functionOf(value) || value.kind === 'signature' || value.kind === 'class') return 'no';
  if (value.kind !== 'instance') return 'maybe';
  if (isPlain(engine, value.class)) return value.class.name === name ? 'yes' : 'no';
  return value.class.code.form === 'enum' ? 'maybe' : 'no';
}

function ofFunctions({ builtins }: Engine, value: Value): Fit {
  if (functionOf(value) || value.kind === 'signature') return 'yes';
  return value.kind === 'instance' && builtins.isBuiltin(value.class) ? 'no' : 'maybe';
}

function ofInstance(engine: Engine, value: Instance, type: Instance): Fit {
  const { builtins, classes } = engine;
  if (classes.isOf(value.class, type.class)) return type.class.generics.length > 0 ? 'maybe' : 'yes';
  const isEnum = value.class.code.form === 'enum' || type.class.code.form === 'enum';
  if (isEnum) return 'maybe';
  if (isPlain(engine, value.class) || isPlain(engine, type.class))
    return isOpen(type.class, engine) ? 'maybe' : 'no';
  if (value.site && !builtins.isBuiltin(type.class)) return ofLiteral(engine, value, type);
  const isList = builtins.isBuiltin(value.class) && value.class.name === 'Array';
  if (isList && isNominal(engine, type.class)) return 'no';
  return isNominal(engine, value.class) && isNominal(engine, type.class) ? 'no' : 'maybe';
}

/** An object literal has no keys that its type lacks. */
function ofLiteral({ classes }: Engine, { site }: Instance, type: Instance): Fit {
  if (site?.length !== undefined) return type.class.code.form === 'class' ? 'no' : 'maybe';
  for (const [key] of site?.named() ?? []) {
    const isMember =
      classes.member(type.class, key, 'instance') ?? classes.member(type.class, '@index', 'instance');
    if (!isMember && !classes.externalAncestor(type.class)) return 'no';
  }
  return 'maybe';
}

/** A string, number or boolean; a list as a type. */
function isPlain({ builtins }: Engine, { name = '', unit }: Class): boolean {
  return builtins.unitOf(unit.rules) === unit && PRIMITIVES.has(name);
}

/** A class of the project, or a list: what its objects are they are by name, in most code. */
function isNominal({ builtins }: Engine, { name, code, unit }: Class): boolean {
  return builtins.unitOf(unit.rules) === unit ? name === 'Array' : code.form === 'class';
}

function isOpen({ name = '', unit }: Class, { builtins }: Engine): boolean {
  return builtins.unitOf(unit.rules) === unit && OPEN.has(name);
}
