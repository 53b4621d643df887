import type { ToolInfo } from '../catalog.js';
import type { Plugin } from '../plugin.js';

/** The texts that toolsets give a model at the start of a conversation, in the order of the plugins, of the tools that it sees. */
export function instructionsFor(plugins: readonly Plugin[], tools: readonly ToolInfo[]): string {
  const visible = new Set(tools.map(({ name }) => name));
  const shown = new Set(tools.map(({ toolset }) => toolset));
  return plugins
    .flatMap(({ toolsets }) => toolsets)
    .map(({ id, instructions = '' }) =>
      typeof instructions === 'function' ? instructions(visible) : shown.has(id) ? instructions : '',
    )
    .filter(Boolean)
    .join(' ');
}
