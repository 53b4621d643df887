import { CORE_EVENTS } from '../events/event-types.js';
import type { Plugin } from '../plugin.js';
import type { ResourceOwner } from '../services.js';
import { BootError } from './boot-error.js';

/** Of one kind of part: its names in a plugin, as they are shown and as they are compared. */
interface Kind {
  readonly kind: string;
  readonly names: (plugin: Plugin) => ReadonlyArray<readonly [shown: string, compared: string]>;
}

const same = (names: readonly string[]) => names.map((name) => [name, name] as const);
/** An address fits two templates that differ by the names of their variables. */
const unnamed = (template: string) => template.replaceAll(/\{(\+?)[a-z_]+\}/g, '{$1}');

/** Names that hold for the whole deployment: of two of one name, one would never run or never be reached. */
const KINDS: readonly Kind[] = [
  {
    kind: 'worker', // each exclusive one has the lease of its id
    names: ({ workers }) => same(workers.filter(({ exclusive }) => exclusive).map(({ id }) => id)),
  },
  { kind: 'event', names: ({ events }) => same(events.map(({ type }) => type)) },
  {
    kind: 'alias',
    names: ({ toolsets }) => same(toolsets.flatMap(({ tools }) => tools.flatMap(({ aliases }) => aliases))),
  },
  { kind: 'prompt', names: ({ prompts }) => same(prompts.map(({ name }) => name)) },
  {
    kind: 'resource',
    names: ({ resources }) =>
      resources.map(({ uriTemplate }) => [uriTemplate, unnamed(uriTemplate)] as const),
  },
];

/** Refuses two parts of one kind and name, of two plugins or of one. */
export function refuseTwinParts(plugins: readonly Plugin[]): void {
  for (const { kind, names } of KINDS) {
    const owners = new Map(kind === 'event' ? CORE_EVENTS.map(({ type }) => [type, 'core']) : []);
    for (const plugin of plugins) {
      for (const [shown, compared] of names(plugin)) {
        const owner = owners.get(compared);
        if (owner !== undefined) throw twins(plugin.id, `${kind} "${shown}"`, owner);
        owners.set(compared, plugin.id);
      }
    }
  }
}

/** Refuses two owners of one resource, but those of one table. `pluginOf`: the plugin that contributes an owner. */
export function refuseTwinOwners(
  owners: readonly ResourceOwner[],
  pluginOf: (owner: ResourceOwner) => string,
): void {
  const known = new Map<string, ResourceOwner>();
  for (const owner of owners) {
    const { resource, table } = owner;
    const first = known.get(resource);
    if (first && (table === undefined || table !== first.table))
      throw twins(pluginOf(owner), `owner of the resource "${resource}"`, pluginOf(first));
    known.set(resource, owner);
  }
}

function twins(plugin: string, part: string, owner: string): BootError {
  return new BootError(
    `plugin ${plugin}, ${part}`,
    owner === 'core' ? 'core has one of that name' : `plugin ${owner} has one of that name`,
    owner === 'core' ? 'Rename it.' : 'Rename one of the two, or leave one plugin out.',
  );
}
