import type { Grammar } from './grammar.js';

/**
 * The grammars by their ids: languages of the language table, or `tsx`. A module with the lowering of its language is
 * loaded by the threads that parse that language: the service itself needs only the ids.
 */
export const GRAMMARS: ReadonlyMap<string, () => Promise<Grammar>> = new Map([
  ['c', async () => (await import('./c.js')).c],
  ['cpp', async () => (await import('./cpp.js')).cpp],
  ['csharp', async () => (await import('./csharp.js')).csharp],
  ['go', async () => (await import('./go.js')).go],
  ['java', async () => (await import('./java.js')).java],
  ['javascript', async () => (await import('./javascript.js')).javascript],
  ['php', async () => (await import('./php.js')).php],
  ['python', async () => (await import('./python.js')).python],
  ['ruby', async () => (await import('./ruby.js')).ruby],
  ['rust', async () => (await import('./rust.js')).rust],
  ['tsx', async () => (await import('./typescript.js')).tsx],
  ['typescript', async () => (await import('./typescript.js')).typescript],
]);
