import type { Scope, Variable } from '../program.js';
import type { Class } from '../declarations.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';

export interface Access {
  readonly name: string;
  readonly isSuper: boolean;
  readonly scope: Scope;
  /** Members that come after this class are meant, not after that around the scope. */
  readonly after?: Class;
  /** Not to call it. */
  readonly reads?: true;
  /** By the name alone: the body of a class names the methods of its objects. */
  readonly isBare?: true;
}

/**
 * Members of instances first, or static ones first; `class`: without methods of objects where these are apart; `declared`: as
 * `static`, without those that types lend.
 */
export type Side = 'instance' | 'static' | 'class' | 'declared';

/** True for a value whose members are known by name. */
export function isOwnObject({ kind }: Value): boolean {
  return kind === 'instance' || kind === 'class' || kind === 'module' || kind === 'function';
}

/** The class after which members are looked up. */
export function afterOf({ typeNames }: Engine, { after, isSuper, scope }: Access): Class | undefined {
  return after ?? (isSuper ? typeNames.classOf(scope) : undefined);
}

/** True for what only assignments in methods make. A property above takes what they assign, which they may not know. */
export function isField({ declarations, scope }: Variable): boolean {
  return !declarations && scope.unit.rules.propertyType !== undefined;
}

/** True for a member that a function reads. */
export function isProperty({ declarations }: Variable): boolean {
  return declarations?.some((each) => each.kind === 'function' && each.code.accessor === 'get') ?? false;
}
