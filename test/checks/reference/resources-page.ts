import { defaultPlugins } from '../deployment.js';
import { code, page, prose, table } from './markdown.js';

const INTRODUCTION =
  'MCP serves these besides tools. Each is listed for callers with its scope; those of a workspace exist only for its members. Clients can subscribe to a resource: they are notified after the events in the last column.';

/** Every resource and prompt of the default deployment. */
export async function resourcesPage(): Promise<string> {
  const plugins = (await defaultPlugins()).map(({ plugin }) => plugin);
  const resources = plugins.flatMap((plugin) => plugin.resources);
  const prompts = plugins.flatMap((plugin) => plugin.prompts);
  return page(
    'Resources and prompts',
    INTRODUCTION,
    '## Resources',
    table(
      ['address', 'what it is', 'media type', 'scope', 'changed by'],
      resources.map(({ uriTemplate, description, mimeType, access, changedBy = {} }) => [
        code(uriTemplate),
        prose(description),
        mimeType,
        code(access.scope),
        Object.keys(changedBy).map(code).join(', '),
      ]),
    ),
    '## Prompts',
    table(
      ['prompt', 'what it is for', 'arguments', 'scope'],
      prompts.map(({ name, description, arguments: taken, access }) => [
        code(name),
        prose(description),
        taken
          .map((one) => `${code(one.name)}${one.required ? '' : '?'}: ${prose(one.description)}`)
          .join('; '),
        code(access.scope),
      ]),
    ),
  );
}
