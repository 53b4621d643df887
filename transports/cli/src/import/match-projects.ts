import { commandName } from '../command-name.js';
import type { Connection, Item } from '../connection/connection.js';
import { Failure } from '../failure.js';
import { printable } from '../terminal/format.js';
import { exportRecords } from './export-records.js';

type Project = Item<'projects_list'>;

/**
 * The projects of a workspace that those of an export go to, by their ids in the export: the one of the same id, else the
 * one of the same name; others are new. Throws a Failure where two would go to one.
 */
export async function matchProjects(
  path: string,
  existing: readonly Project[],
  { target }: Connection,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Project>> {
  const exported: Array<Pick<Project, 'id' | 'name'>> = [];
  for await (const { kind, record } of exportRecords(path, signal)) {
    if (kind === 'file') break; // projects come first
    const { id, name } = record;
    if (typeof id === 'string' && typeof name === 'string') exported.push({ id, name });
  }
  const matches = new Map<string, Project>();
  const reasons = new Map<Project, string>();
  for (const field of ['id', 'name'] as const) {
    const here = new Map(existing.map((project) => [project[field], project]));
    for (const project of exported) {
      const match = here.get(project[field]);
      if (!match || matches.has(project.id)) continue;
      const other = reasons.get(match);
      const reason = `"${printable(project.name)}" by its ${field}`;
      if (other !== undefined)
        throw new Failure(
          `Two projects of the export go to project "${printable(match.name)}" of the workspace: ${other}, and ${reason}. Nothing was imported.`,
          {
            next: `Rename that one first: ${commandName()} call${target} projects_update --project-id ${match.id} --name OTHER-NAME   or import memory alone with --memory.`,
          },
        );
      matches.set(project.id, match);
      reasons.set(match, reason);
    }
  }
  return matches;
}
