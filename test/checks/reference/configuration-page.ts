import { coreSections } from '@service-mcp/core/host';
import { upstreamSection } from '@service-mcp/transport-gateway';
import { defaultPlugins, defaultTransports } from '../deployment.js';
import { code, page, prose, table, value } from './markdown.js';
import { fieldsOf, type Schema } from './schema-text.js';

const INTRODUCTION =
  'A deployment file is JSON: `plugins` and `transports` list npm packages (or paths that begin with `./` or `/`), and each further key is a section below. Environment variables override the file. Lists in variables are comma-separated. A secret can be in a file: name the file in the variable with the suffix `_FILE`. With an unknown key or a value out of bounds, the service refuses to start and says what to change.';

/** Every key of core, of the plugins and transports of the default deployment, and of the gateway's. */
export async function configurationPage(): Promise<string> {
  const core = Object.entries(coreSections).map(([id, schema]) => section(id, 'core', schema));
  const plugins = (await defaultPlugins()).map(({ plugin }) => plugin);
  const others = [
    ...plugins.map((part) => ({ part, kind: 'plugin' })),
    ...(await defaultTransports()).map((part) => ({ part, kind: 'transport' })),
  ].flatMap(({ part, kind }) => (part.config ? [section(part.id, kind, part.config.schema)] : []));
  return page(
    'Configuration',
    INTRODUCTION,
    ...core,
    ...others,
    section('upstream', 'gateway', upstreamSection),
  );
}

function section(id: string, kind: string, schema: object): string {
  const rows = fieldsOf(schema as Schema).map(({ path, type, schema: property }) => [
    code(path),
    type,
    value(property.default),
    code(property['x-env'] ?? ''),
    `${prose(property.description ?? '')}${property['x-secret'] === true ? ' (secret)' : ''}`,
  ]);
  return `## ${code(id)} (${kind})\n\n${table(['key', 'type', 'default', 'environment', 'description'], rows)}`;
}
