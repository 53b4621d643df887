import type { code } from '@service-mcp/plugin-syntax/contract';
import type { LanguageRules } from '../language-rules.js';

/** The key that an expression is for certain. */
export function keyOf(expression: code.Expression | undefined): string | undefined {
  return expression?.kind === 'literal' ? expression.text : undefined;
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
  return isMethodKey(key) ? key.slice(0, -2) : key;
}
