import { CallAdmission, notFound, provideForCall, token } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { CheckedCodeRefs, CodeRefs } from '../schemas.js';

/** What a record of a call's workspace points to. */
export interface References {
  /** Marks references to files that are not there. Throws NOT_FOUND for a project of another workspace. */
  check(projectId: string | undefined, refs: CodeRefs): Promise<CheckedCodeRefs>;
  /** The records with their references as they are now: files come, move and go after a record was written. */
  current<T extends Referring>(records: readonly T[]): Promise<T[]>;
}

/** A record with references to code. */
export interface Referring {
  readonly workspace_id: string;
  readonly project_id: string | null;
  readonly code_refs: CheckedCodeRefs;
}

/** Paths of one statement. */
const MAX_PATHS = 500;

export const References = token<References>('memory.References');

export const references = provideForCall(References, {
  uses: { projects: ProjectDirectory, admission: CallAdmission },
  create: ({ projects, admission }): References => ({
    async check(projectId, refs) {
      const { workspaceId } = admission;
      if (projectId !== undefined && !(await projects.find(projectId, [workspaceId])))
        throw notFound('project', projectId, 'projects_list');
      if (refs.length === 0) return [];
      const paths = refs.map(({ path }) => path);
      const scope = { workspaceId, ...(projectId !== undefined && { projectId }) };
      return marked(refs, await projects.existingPaths(scope, paths));
    },
    async current(records) {
      const existing = new Map<string, Set<string>>();
      for (const { workspace_id: workspaceId, project_id } of records) {
        const key = keyOf({ workspace_id: workspaceId, project_id });
        if (existing.has(key)) continue;
        const group = records.filter((record) => keyOf(record) === key);
        const scope = { workspaceId, ...(project_id !== null && { projectId: project_id }) };
        const paths = [...new Set(group.flatMap(({ code_refs }) => code_refs.map(({ path }) => path)))];
        const there = new Set<string>();
        for (let at = 0; at < paths.length; at += MAX_PATHS)
          for (const path of await projects.existingPaths(scope, paths.slice(at, at + MAX_PATHS)))
            there.add(path);
        existing.set(key, there);
      }
      return records.map((record) => ({
        ...record,
        code_refs: marked(record.code_refs, existing.get(keyOf(record)) ?? new Set()),
      }));
    },
  }),
});

const keyOf = ({ workspace_id, project_id }: Omit<Referring, 'code_refs'>) => `${workspace_id} ${project_id}`;

function marked(refs: CodeRefs, existing: ReadonlySet<string>): CheckedCodeRefs {
  return refs.map(({ path, symbol }) => ({
    path,
    ...(symbol !== undefined && { symbol }),
    ...(!existing.has(path) && { missing: true as const }),
  }));
}
