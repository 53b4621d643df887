import type { Authenticator, Memberships, ResourceOwner } from '../services.js';
import type { JsonSchema, Tool } from '../tool.js';
import { BootError } from './boot-error.js';
import type { Container } from '../call/container.js';
import type { Registry } from './registry.js';
import type { Validators } from '../call/validate.js';

interface Ports {
  readonly authenticator?: Authenticator | undefined;
  readonly memberships?: Memberships | undefined;
  readonly owners: readonly ResourceOwner[];
}

/** Refuses tools that could never be admitted, resolved or checked, each with its place and remedy. */
export function refuseFaultyTools(
  registry: Registry,
  ports: Ports,
  container: Container,
  validators: Validators,
): void {
  const owned = new Set(ports.owners.map(({ resource }) => resource));
  for (const { tool, info } of registry.allowed) {
    const place = `plugin ${info.plugin}, tool "${tool.name}"`;
    refuseUnresolved(place, tool, container);
    const where = tool.access.in;
    if (where !== 'deployment' && where !== 'self' && where !== 'administration' && !ports.memberships) {
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
    refuseOpenSchema(place, tool.inputSchema);
    for (const [part, schema] of [
      ['input', tool.inputSchema],
      ['output', tool.outputSchema],
    ] as const) {
      if (schema['type'] !== 'object' || schema['anyOf'] || schema['oneOf'] || schema['allOf']) {
        throw new BootError(
          place,
          `its ${part} schema is no plain object`,
          'Use Type.Object at the top, without anyOf, oneOf or allOf.',
        );
      }
      if (!validators.isSchema(schema)) {
        throw new BootError(place, `its ${part} schema is no JSON Schema 2020-12`, 'Mend the schema.');
      }
    }
  }
}

function refuseOpenSchema(place: string, schema: JsonSchema): void {
  if (schema['additionalProperties'] !== false) {
    throw new BootError(place, 'its input schema is open', 'Close it with { additionalProperties: false }.');
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)) {
    if (typeof property['description'] !== 'string') {
      throw new BootError(place, `its argument "${name}" has no description`, 'Describe it: models read it.');
    }
  }
}

function refuseUnresolved(place: string, tool: Tool, container: Container): void {
  for (const [name, dependency] of Object.entries(tool.uses)) {
    if (dependency.kind === 'service' && !container.has(dependency)) {
      throw new BootError(
        place,
        `nothing provides "${name}" (${dependency.name})`,
        'Enable the plugin that provides it.',
      );
    }
  }
}
