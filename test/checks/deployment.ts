import { readFileSync } from 'node:fs';
import type { Plugin, Tool, ToolInfo, Transport } from '@service-mcp/core';
import { HOSTED_DEPLOYMENT } from '../start-service.js';
import { packages, type Package } from './repository.js';

/** A plugin of the default deployment with where it lives. */
export interface PlacedPlugin {
  readonly plugin: Plugin;
  readonly home: Package;
}

export interface PlacedTool {
  readonly tool: Tool;
  readonly info: ToolInfo;
  readonly plugin: Plugin;
  readonly home: Package;
}

interface DeploymentFile {
  readonly plugins: readonly string[];
  readonly transports: readonly string[];
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as DeploymentFile;
const file = read(HOSTED_DEPLOYMENT);

/** The plugins of the default deployment, in its order. Nothing is started: tools are values. */
export async function defaultPlugins(): Promise<PlacedPlugin[]> {
  const homes = new Map(packages().map((home) => [home.name, home]));
  const placed: PlacedPlugin[] = [];
  for (const name of file.plugins) {
    const home = homes.get(name);
    if (!home) throw new Error(`${name} in deploy/hosted.json is not a package of this repository`);
    const { default: plugin } = (await import(name)) as { default: Plugin };
    placed.push({ plugin, home });
  }
  return placed;
}

export async function defaultTransports(): Promise<Transport[]> {
  const transports: Transport[] = [];
  for (const name of file.transports) {
    transports.push(((await import(name)) as { default: Transport }).default);
  }
  return transports;
}

/** Every tool of the default deployment, sorted by name. */
export async function defaultTools(): Promise<PlacedTool[]> {
  const tools = (await defaultPlugins()).flatMap(({ plugin, home }) =>
    plugin.toolsets.flatMap((toolset) =>
      toolset.tools.map((tool): PlacedTool => {
        const { handler: _h, uses: _u, rawText: _r, aliases: _a, text: _t, ...shown } = tool;
        return { tool, plugin, home, info: { ...shown, plugin: plugin.id, toolset: toolset.id } };
      }),
    ),
  );
  return tools.sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
}
