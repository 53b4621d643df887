import type { LanguageRules } from '../language-rules.js';
import { neutral } from './neutral.js';

/** By language of the syntax plugin. Languages with the same value can import each other. */
const LANGUAGES: ReadonlyMap<string, LanguageRules> = new Map([]);

export function rulesOf(language: string | null): LanguageRules {
  return (language !== null && LANGUAGES.get(language)) || neutral;
}
