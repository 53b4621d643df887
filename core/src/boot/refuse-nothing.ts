import { isLevel, selects } from '../toolset.js';
import { BootError } from './boot-error.js';
import type { RegisteredTool, ToolsetSettings } from './registry.js';

const listed = ({ info }: RegisteredTool): boolean => isLevel(info.level);

/**
 * Refuses settings that leave no tool, and a default that selects some of the tools there are, but none of those that are
 * left. A plugin whose tools are all for requests that name them is not a clash. Throws BootError.
 */
export function refuseNothing(
  all: readonly RegisteredTool[],
  left: readonly RegisteredTool[],
  { allowed, default: words, exclude, readOnly }: ToolsetSettings,
): void {
  const tools = left.filter(listed);
  const isDefault = ({ info }: RegisteredTool) => selects({ toolsets: words, readOnly: false }, info);
  if (!all.some(listed) || (tools.length > 0 && (tools.some(isDefault) || !all.some(isDefault)))) return;
  const shown = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : 'empty');
  if (tools.length > 0) {
    throw new BootError(
      `toolsets.default (${shown(words)})`,
      'it selects no tool that toolsets.allowed, exclude and read_only leave: clients would see none',
      'Name tools or toolsets in it that are allowed (SERVICE_TOOLSETS_DEFAULT).',
    );
  }
  throw new BootError(
    'toolsets',
    `allowed (${shown(allowed)}), exclude (${shown(exclude)}) and read_only (${readOnly}) leave no tool`,
    'Allow more, or exclude less.',
  );
}
