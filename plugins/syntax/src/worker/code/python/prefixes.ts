import type { Expression } from '../../../code.js';
import { after } from '../values.js';

/** Only these may be the start of a name or of the path of a module. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.]{0,99}$/u;

/** A text of which the prefix alone is known, after what it is made of is evaluated. */
export function prefixed(prefix: string | undefined, made: Expression): Expression {
  if (prefix === undefined || !NAME.test(prefix)) return made;
  return after([made], { kind: 'literal', type: 'string', prefix });
}

/** What a text starts with. */
export function prefixOf(text: Expression): string | undefined {
  const value = text.kind === 'block' ? text.value : text;
  return value?.kind === 'literal' && value.type === 'string' ? (value.text ?? value.prefix) : undefined;
}
