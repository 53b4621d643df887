import type { Plugin } from '../plugin.js';
import { CallAdmission } from '../services.js';
import type { Dependency, Provider } from '../token.js';
import { BootError, provideRemedy } from '../boot/boot-error.js';

/** A provider and the id of the plugin that it comes from. */
export interface PluginProvider {
  readonly plugin: string;
  readonly provider: Provider;
}

export function providersOf(plugins: readonly Plugin[]): PluginProvider[] {
  return plugins.flatMap(({ id, services }) => services.map((provider) => ({ plugin: id, provider })));
}

export function keyOf(dependency: Dependency): symbol {
  return dependency.kind === 'optional' ? dependency.token.key : dependency.key;
}

/**
 * Providers in an order where each comes after what it uses. `given` are the keys that exist without a provider.
 * Refuses what is missing, provided twice or circular, and prints the path.
 */
export function inOrderOfUse(
  given: ReadonlySet<symbol>,
  providers: readonly PluginProvider[],
): PluginProvider[] {
  const makers = new Map<symbol, PluginProvider[]>();
  for (const provided of providers) {
    const { target } = provided.provider;
    const made = makers.get(target.key) ?? [];
    if (target.kind === 'service' && made[0]) {
      throw new BootError(
        `service ${target.name}`,
        `the plugins ${made[0].plugin} and ${provided.plugin} provide it`,
        'Enable one of them: a service has one provider.',
      );
    }
    makers.set(target.key, [...made, provided]);
  }
  const ordered = new Set<PluginProvider>();
  const visit = (provided: PluginProvider, path: readonly PluginProvider[]): void => {
    if (ordered.has(provided)) return;
    const { plugin, provider } = provided;
    const place = `plugin ${plugin}, service ${provider.target.name}`;
    const trail = [...path, provided].map(({ provider: { target } }) => target.name).join(' → ');
    if (path.includes(provided)) throw new BootError(place, `it uses itself: ${trail}`, 'Break the circle.');
    for (const dependency of Object.values(provider.uses)) {
      const needed = makers.get(keyOf(dependency)) ?? [];
      if (dependency.kind === 'service' && needed.length === 0 && !given.has(dependency.key)) {
        throw new BootError(
          `plugin ${plugin}, service ${dependency.name}`,
          `nothing provides it (${trail} → ${dependency.name})`,
          provideRemedy(plugin, dependency.name),
        );
      }
      for (const next of needed) {
        if (provider.lifetime === 'service' && next.provider.lifetime === 'call') {
          throw new BootError(
            place,
            `it outlives ${next.provider.target.name}, which lives for one call`,
            'Provide it for the call too.',
          );
        }
        visit(next, [...path, provided]);
      }
      if (provider.lifetime === 'service' && keyOf(dependency) === CallAdmission.key) {
        throw new BootError(place, 'it uses CallAdmission but is built at boot', 'Use provideForCall.');
      }
    }
    ordered.add(provided);
  };
  for (const provided of providers) visit(provided, []);
  return [...ordered];
}
