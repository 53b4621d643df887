import { Database, isStorable, provide } from '@service-mcp/core';
import { ProjectDirectory, type ProjectName } from '../contract.js';
import { batchesOf, IDS_PER_STATEMENT } from './batches.js';
import { movesOf } from './file-moves.js';
import { CONTENT_OF_FILE, type PackedContent } from './contents.js';
import { unpackText } from './packed-text.js';
import { lockWorkspace } from './workspace-lock.js';

type Scope = Parameters<ProjectDirectory['existingPaths']>[0];
const COLUMNS = { id: 'id', name: 'name', workspaceId: 'workspace_id' };

export const projectDirectory = provide(ProjectDirectory, {
  uses: { database: Database },
  create: ({ database: { sql } }): ProjectDirectory => {
    const visible = (workspaceIds: Iterable<string>) =>
      sql<ProjectName>('projects').whereIn('workspace_id', [...workspaceIds]);
    /** By the index on project and path: a condition on the workspace of files reads all of them from four paths on. */
    const filesAt = (paths: readonly string[], workspaceIds: Iterable<string>, projectId?: string) =>
      sql('files')
        .whereIn('project_id', projectsOf(workspaceIds, projectId))
        .whereIn('path', paths)
        .where({ deleted: 0 });
    const projectsOf = (workspaceIds: Iterable<string>, projectId?: string) => {
      const projects = visible(workspaceIds);
      if (projectId !== undefined) void projects.where({ id: projectId });
      return projects.select('id');
    };
    /** Those of the paths that are files of a project, or of any project of the workspace. */
    const existing = async ({ workspaceId, projectId }: Scope, paths: readonly string[]) => {
      const found = new Set<string>();
      for (const batch of batchesOf(paths, IDS_PER_STATEMENT))
        for (const path of (await filesAt(batch, [workspaceId], projectId)
          .distinct('path')
          .pluck('path')) as string[])
          found.add(path);
      return found;
    };
    /** Moves by the former path; of a path that files of several projects were moved from, none. */
    const moves = async (
      { workspaceId, projectId }: Scope,
      side: 'path' | 'moved_to',
      paths: readonly string[],
    ) => {
      const found = new Map<string, string>();
      const unclear = new Set<string>();
      for (const batch of batchesOf(paths, IDS_PER_STATEMENT))
        for (const { path, moved_to } of await movesOf(
          sql,
          projectsOf([workspaceId], projectId),
          side,
          batch,
        )) {
          if ((found.get(path) ?? moved_to) !== moved_to) unclear.add(path);
          found.set(path, moved_to);
        }
      for (const path of unclear) found.delete(path);
      return found;
    };
    return {
      async find(id, workspaceIds) {
        if (!isStorable(id)) return undefined;
        return visible(workspaceIds).where({ id }).first(COLUMNS);
      },
      async lock(tx, id) {
        const project = () =>
          tx<{ id: string; workspace_id: string }>('projects').where({ id }).first('workspace_id');
        const found = await project();
        if (!found) return false;
        // As whoever deletes a project or workspace does.
        return (await lockWorkspace(tx, found.workspace_id)) && (await project()) !== undefined;
      },
      list: (workspaceIds, limit) =>
        visible(workspaceIds)
          .orderByRaw("coalesce(ingested_at, '') DESC, id DESC")
          .limit(limit)
          .select({ ...COLUMNS, repositoryUrl: 'repository_url' }),
      existingPaths: existing,
      async currentPaths(scope, paths) {
        const there = await existing(scope, paths);
        const absent = paths.filter((path) => !there.has(path));
        const current = absent.length === 0 ? new Map<string, string>() : await moves(scope, 'path', absent);
        for (const path of there) current.set(path, path);
        return current;
      },
      formerPaths: (scope, paths) => moves(scope, 'moved_to', paths),
      async texts(project_id, paths, workspaceIds) {
        const texts = new Map<string, string>();
        for (const batch of batchesOf(paths.filter(isStorable), IDS_PER_STATEMENT)) {
          const rows = (await filesAt(batch, workspaceIds, project_id)
            .join('file_contents', CONTENT_OF_FILE)
            .select('path', 'packed')) as Array<PackedContent & { path: string }>;
          for (const { path, packed } of rows) texts.set(path, unpackText(packed));
        }
        return texts;
      },
      async contents(projectId, most) {
        const files = () => sql('files').where({ project_id: projectId, deleted: 0 });
        const languages = (await files()
          .groupBy('language')
          .select('language')
          .count({ files: '*' })) as Array<{
          language: string | null;
          files: number;
        }>;
        const failed = (await files()
          .where({ indexing_status: 'failed' })
          .orderBy('path')
          .limit(most)
          .select('path', { error: 'indexing_error' })) as Array<{ path: string; error: string | null }>;
        return {
          languages: languages.sort(
            (a, b) => b.files - a.files || (String(a.language) < String(b.language) ? -1 : 1),
          ),
          failed: failed.map(({ path, error }) => ({ path, error: error ?? '' })),
        };
      },
    };
  },
});
