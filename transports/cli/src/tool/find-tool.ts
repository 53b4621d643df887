import type { ToolEntry } from '@service-mcp/core/wire';
import type { Connection } from '../connection/connection.js';
import { Failure, isRefusal } from '../failure.js';
import { commandName } from '../command-name.js';

/** The tool of that name; else a Failure that suggests similar names, or how to list those that the flags `target` reach. */
export function findTool(entries: readonly ToolEntry[], name: string, target: string): ToolEntry {
  const found = entries.find((tool) => tool.name === name);
  if (found) return found;
  const similar = entries.map((tool) => tool.name).filter((known) => isSimilar(known, name));
  throw new Failure(
    `There is no tool "${name}" here. A service that is read-only or has fewer toolsets leaves some out.`,
    {
      next:
        similar.length > 0
          ? `Did you mean ${similar.slice(0, 4).join(', ')}?`
          : `List them with: ${commandName()} tools${target}`,
    },
  );
}

/** Any tool under the deployment's ceiling by its name. Throws the refusal for one that the key may not use. */
export async function fetchTool(connection: Connection, name: string, target: string): Promise<ToolEntry> {
  const entries = await connection.tools('complete');
  if (!entries.some((tool) => tool.name === name)) await refuseUnlisted(connection, name);
  return findTool(entries, name, target);
}

/**
 * Lists leave out what a key may not use; a call is refused with the scope that is missing. No tool takes this argument, so
 * that nothing is executed.
 */
async function refuseUnlisted(connection: Connection, name: string): Promise<void> {
  await connection.call(name, { '': null }).catch((thrown: unknown) => {
    if (isRefusal(thrown, 'PERMISSION_DENIED')) throw thrown;
  });
}

/** True where both share a word, or all letters but the last two. */
function isSimilar(known: string, typed: string): boolean {
  const words = typed.toLowerCase().split(/[^a-z0-9]+/);
  return (
    words.some((word) => word.length > 2 && known.includes(word)) ||
    known.startsWith(typed.slice(0, Math.max(3, typed.length - 2)))
  );
}
