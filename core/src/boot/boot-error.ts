import { editDistance } from '../text.js';

/** Names that a message lists. */
const MAX_KNOWN = 30;

/** A deployment that must not start. `place` says where the fault lies, `remedy` what to change. */
export class BootError extends Error {
  readonly place: string;
  readonly remedy: string;

  constructor(place: string, problem: string, remedy: string, cause?: unknown) {
    super(`${place}: ${problem}\n  ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'BootError';
    this.place = place;
    this.remedy = remedy;
  }
}

/** `did you mean "x"?` for a misspelt name, or the names that exist. */
export function suggest(word: string, known: readonly string[]): string {
  const near = known
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 4)))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near) return `Did you mean "${near.name}"?`;
  const rest = known.length - MAX_KNOWN;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return known.length > 0 ? `Known: ${known.slice(0, MAX_KNOWN).join(', ')}${more}.` : 'There is none.';
}

/** The message of a fault in the code of a plugin, with the place that threw it where its stack names one. */
export function faultOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, stack = '' } = thrown;
  const places = stack.replace(message, '').match(/(?:file:\/\/|(?<=[( ])\/)[^\s()]+:\d+/g) ?? [];
  const place = places.find((each) => !CORE.some((folder) => each.startsWith(folder)));
  return place === undefined ? message : `${message} (${place})`;
}

/** The URL prefixes of the files of core: as they are compiled, and joined. */
const CORE = ['../', '../../bundle/'].map((folder) => new URL(folder, import.meta.url).href);

/** What to do where nothing provides a service that a part of a plugin uses: a name begins with the plugin that owns it. */
export function provideRemedy(plugin: string, service: string): string {
  return service.startsWith(`${plugin}.`)
    ? `Add what provides it to "services" of the plugin, or its settings to "config".`
    : 'Enable the plugin that provides it in the deployment file.';
}
