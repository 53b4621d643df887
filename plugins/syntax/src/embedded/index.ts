import { astro } from './astro.js';
import { jupyter } from './jupyter.js';
import type { EmbeddedSource } from './script.js';
import { svelte } from './svelte.js';
import { vue } from './vue.js';

export type { EmbeddedSource } from './script.js';

/** Languages whose files hold code of another one, by the code of a text. */
export const EMBEDDED: ReadonlyMap<string, (text: string) => EmbeddedSource> = new Map([
  ['astro', astro],
  ['jupyter', jupyter],
  ['svelte', svelte],
  ['vue', vue],
]);
