import { HEALTH_ROUTES } from '../http/health-routes.js';
import type { Plugin } from '../plugin.js';
import type { Transport, TransportContext } from '../transport.js';

/** What the parts of a deployment say of themselves, for documents: needs nothing that runs. */
export function describeParts({
  plugins,
  transports,
}: {
  readonly plugins: readonly Plugin[];
  readonly transports: readonly Transport[];
}): Pick<TransportContext<unknown>, 'routes' | 'descriptions'> {
  const core = { id: 'core', description: 'The state of the service itself.', routes: HEALTH_ROUTES };
  return {
    routes: [core, ...transports].flatMap(({ id, routes = [] }) =>
      routes.map((route) => ({ ...route, owner: id })),
    ),
    descriptions: new Map([core, ...plugins, ...transports].map(({ id, description }) => [id, description])),
  };
}
