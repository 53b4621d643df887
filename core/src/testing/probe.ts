import { definePlugin, type Plugin } from '../plugin.js';
import { provide, token, type Resolved, type Uses } from '../token.js';

/** A plugin that gives a test the services of the host it is part of. */
export interface Probe<U extends Uses> {
  readonly plugin: Plugin;
  /** The services of the host that started last. Throws before one has. */
  readonly services: () => Resolved<U>;
}

/** `id`: of the plugin, where a host has more than one probe. */
export function probe<U extends Uses>(uses: U, id = 'probe'): Probe<U> {
  let found: Resolved<U> | undefined;
  return {
    plugin: definePlugin({
      id,
      description: 'Gives a test the services of its host.',
      api: '^1',
      services: [
        provide(token<Resolved<U>>(`${id}.Services`), { uses, create: (services) => (found = services) }),
      ],
    }),
    services() {
      if (!found) throw new Error('the probe is part of no host that has started');
      return found;
    },
  };
}
