import type { Container } from '../call/container.js';
import type { Plugin } from '../plugin.js';
import type { Memberships, ResourceOwner } from '../services.js';
import type { Uses } from '../token.js';
import type { Access } from '../tool.js';
import { BootError, provideRemedy } from './boot-error.js';
import type { Registry } from './registry.js';

interface Ports {
  readonly memberships?: Memberships | undefined;
  readonly owners: readonly ResourceOwner[];
}

interface Part {
  /** Id of the plugin. */
  readonly owner: string;
  readonly place: string;
  readonly uses: Uses;
  readonly access?: Access;
}

/** Refuses what this deployment could never admit or resolve, each with its place and remedy. */
export function refuseUnservable(
  registry: Registry,
  plugins: readonly Plugin[],
  ports: Ports,
  container: Container,
): void {
  const owned = new Set(ports.owners.map(({ resource }) => resource));
  for (const { owner, place, uses, access } of partsOf(registry, plugins)) {
    for (const [name, dependency] of Object.entries(uses)) {
      if (dependency.kind === 'service' && !container.has(dependency)) {
        throw new BootError(
          place,
          `nothing provides "${name}" (${dependency.name})`,
          provideRemedy(owner, dependency.name),
        );
      }
    }
    const where = access?.in;
    if ((where === 'workspace' || where === 'visible' || typeof where === 'object') && !ports.memberships) {
      throw new BootError(
        place,
        'it works inside workspaces, and no plugin keeps any',
        'Enable the workspaces plugin.',
      );
    }
    if (typeof where === 'object' && !owned.has(where.resource)) {
      throw new BootError(
        place,
        `no plugin owns the resource "${where.resource}"`,
        'Contribute a ResourceOwner for it, or enable the plugin that does.',
      );
    }
  }
}

/** The tools that the deployment allows, and everything else of its plugins that uses services. */
function partsOf(registry: Registry, plugins: readonly Plugin[]): Part[] {
  return [
    ...registry.allowed.map(({ tool, info }) => ({
      ...tool,
      owner: info.plugin,
      place: `plugin ${info.plugin}, tool "${tool.name}"`,
    })),
    ...plugins.flatMap(({ id, resources, prompts, workers, routes }): Part[] => [
      ...resources.map((part) => ({
        ...part,
        owner: id,
        place: `plugin ${id}, resource "${part.uriTemplate}"`,
      })),
      ...prompts.map((part) => ({ ...part, owner: id, place: `plugin ${id}, prompt "${part.name}"` })),
      ...workers.map(({ id: worker, uses }) => ({
        uses,
        owner: id,
        place: `plugin ${id}, worker "${worker}"`,
      })),
      ...routes.map(({ uses }) => ({ uses, owner: id, place: `plugin ${id}, routes` })),
    ]),
  ];
}
