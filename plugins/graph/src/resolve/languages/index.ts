import type { LanguageRules } from '../language-rules.js';
import { csharp } from './csharp.js';
import { c } from './c.js';
import { ecmascript } from './ecmascript.js';
import { go } from './go.js';
import { java } from './java.js';
import { neutral } from './neutral.js';
import { python } from './python.js';
import { php } from './php.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';

/** By language of the syntax plugin. Languages with the same value can import each other. */
const LANGUAGES: ReadonlyMap<string, LanguageRules> = new Map([
  ['typescript', ecmascript],
  ['javascript', ecmascript],
  ['vue', ecmascript],
  ['svelte', ecmascript],
  ['astro', ecmascript],
  ['go', go],
  ['rust', rust],
  ['csharp', csharp],
  ['java', java],
  ['python', python],
  ['jupyter', python],
  ['c', c],
  ['cpp', c],
  ['php', php],
  ['ruby', ruby],
]);

export function rulesOf(language: string | null): LanguageRules {
  return (language !== null && LANGUAGES.get(language)) || neutral;
}
