import type { code } from '@service-mcp/plugin-syntax/contract';
import type { LanguageRules } from '../language-rules.js';
import { Node } from '../node.js';
import type { CallArgument, Origin } from '../instructions.js';
import type { Scope, Variable } from '../program.js';
import { lookUp } from './names.js';
import type { Place, Walker } from './walker.js';

/** Between a private name and its class. No name of a program has it. */
const OWNER = '\0';

/** The key that null is, which no string or integer is where keys flow. */
const NULL = 'null';

/** The key that an expression is for certain. */
export function keyOf(expression: code.Expression | undefined, rules: LanguageRules): string | undefined {
  if (expression?.kind !== 'literal') return undefined;
  if (expression.type === 'null' && rules.constantKeys) return NULL;
  if (expression.text === undefined) return undefined;
  return expression.type === 'string' ? nameKey(expression.text, rules) : expression.text;
}

/** Before the prefix of a string whose rest is not known. No key of a whole string or of an integer starts so. */
const PREFIX = '^';

/** The key of a literal where keys flow, or the known beginning of it. */
export function constantKey(literal: code.Literal, rules: LanguageRules): string | undefined {
  if (!rules.constantKeys) return undefined;
  return literal.prefix === undefined ? keyOf(literal, rules) : `${PREFIX}${literal.prefix}`;
}

/** The prefix of a string that {@link constantKey} has; undefined for a whole one. */
export function prefixOfKey(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

/** The key that a string is. */
export function nameKey(text: string, { constantKeys }: LanguageRules): string {
  return constantKeys ? `'${text}` : text;
}

/** The name that a method is declared by: a field may have the same name where methods are names of their own. */
export function methodKey(name: string, rules: LanguageRules): string {
  return rules.methodNames === 'separate' ? `${name}()` : name;
}

/** True for the key of a method that is not the name itself. */
export function isMethodKey(key: string): boolean {
  return key.endsWith('()');
}

/** The name without what tells methods from fields. */
export function plainName(key: string): string {
  const owner = key.indexOf(OWNER);
  if (owner >= 0) return key.slice(0, owner);
  return isMethodKey(key) ? key.slice(0, -2) : key;
}

/** The key of a member: a private name of two classes is two names, also where one class extends the other. */
export function memberKey(name: string, from: Scope): string {
  if (!from.unit.rules.isPrivateName?.(name)) return name;
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    const container = scope.class ?? scope.function?.owner;
    if (container) return `${name}${OWNER}${container.unit.path}:${container.code.start}`;
  }
  return name;
}

/** The integer that an expression is for certain. */
export function indexOf(expression: code.Expression): number | undefined {
  const text = expression.kind === 'literal' && expression.type === 'number' ? expression.text : undefined;
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** Elements from one index up to another; NaN is an unknown one. Negative ones count from the end. */
export function slice(
  { unit }: Walker,
  object: Node,
  from: number,
  to: number | undefined,
  origin?: Origin,
): Node {
  const node = new Node();
  unit.instructions.push({ kind: 'slice', unit, origin, object, from, to, node });
  return node;
}

/** The variable and key of `a[1]`, where the variable is of the code around it. */
export function elementOf(
  walker: Walker,
  { object, key }: Extract<code.Expression, { kind: 'index' }>,
  place: Place,
): { readonly variable: Variable; readonly key: string } | undefined {
  const known = keyOf(key, walker.unit.rules);
  if (object.kind !== 'name' || known === undefined || walker.unit.rules.flow !== 'ordered') return undefined;
  const binding = lookUp(object.name, place.scope);
  return 'kind' in binding ? undefined : { variable: binding, key: known };
}

/** The keys of an index: the one that is written out, else the values of it where keys flow. */
export function indexKeys(
  walker: Walker,
  { key, keys = [] }: Extract<code.Expression, { kind: 'index' }>,
  place: Place,
): {
  readonly key: string | undefined;
  readonly computed: Node | undefined;
  readonly arguments: readonly CallArgument[];
} {
  const { rules } = walker.unit;
  const known = keyOf(key, rules);
  const isGiven = known === undefined || rules.protocol?.index !== undefined;
  const node = key && isGiven ? walker.expression(key, place) : undefined;
  const rest = keys.map((each) => walker.expression(each, place));
  const computed = known === undefined && rules.constantKeys ? node : undefined;
  const all = key ? [node, ...rest] : [];
  return { key: known, computed, arguments: all.map((each) => positional(each)) };
}

/** An argument by its position. */
export function positional(node: Node | undefined): CallArgument {
  return { name: undefined, node, spread: undefined };
}

/** Evaluates a key that is not written out: its values, where keys flow. */
export function computedKey(
  walker: Walker,
  key: code.Expression | undefined,
  place: Place,
): Node | undefined {
  const node = key && walker.expression(key, place);
  return walker.unit.rules.constantKeys && node;
}
