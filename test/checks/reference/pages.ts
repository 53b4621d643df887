import { describeParts } from '@service-mcp/core/host';
import { defaultPlugins, defaultTools, defaultTransports } from '../deployment.js';
import { apiPages } from './api-pages.js';
import { commandLinePage } from './command-line-page.js';
import { configurationPage } from './configuration-page.js';
import { eventsPage } from './events-page.js';
import { errorsPage } from './errors-page.js';
import { page, table } from './markdown.js';
import { resourcesPage } from './resources-page.js';
import { routesPage } from './routes-page.js';
import { toolsPage } from './tools-page.js';

/** Every page of docs/reference, by file name. The same declarations give the same text. */
export async function referencePages(): Promise<Map<string, string>> {
  const tools = await defaultTools();
  const plugins = (await defaultPlugins()).filter(({ plugin }) => plugin.toolsets.length > 0);
  const { routes } = describeParts({ plugins: [], transports: await defaultTransports() });
  const pages = new Map([
    ['routes.md', routesPage(tools, routes)],
    ['errors.md', errorsPage()],
    ['events.md', await eventsPage()],
    ['resources.md', await resourcesPage()],
    ['configuration.md', await configurationPage()],
    ['command-line.md', await commandLinePage()],
  ]);
  const index: string[][] = [];
  for (const placed of plugins) {
    const { id, description } = placed.plugin;
    const own = tools.filter(({ plugin }) => plugin.id === id);
    pages.set(`tools-${id}.md`, toolsPage(placed, own));
    const names = own.map(({ tool }) => `\`${tool.name}\``).join(', ');
    index.push([`[${id}](tools-${id}.md)`, description, names]);
  }
  const api = apiPages();
  for (const [file, { text }] of api) pages.set(file, text);
  pages.set(
    'README.md',
    page(
      'Reference',
      'Tools of the default deployment, by plugin:',
      table(['plugin', 'what it is for', 'tools'], index),
      [
        '- [Routes](routes.md): REST, JSON-RPC, MCP and the rest',
        '- [Errors](errors.md): the codes, on every surface',
        '- [Events](events.md): what the stream of changes tells',
        '- [Resources and prompts](resources.md): what MCP serves besides tools',
        '- [Configuration](configuration.md): every key, its default and its environment variable',
        '- [Command line](command-line.md): the help of every command',
      ].join('\n'),
      'What plugins and transports import, with docstrings:',
      [...api].map(([file, { name }]) => `- [\`${name}\`](${file})`).join('\n'),
    ),
  );
  return pages;
}
