import { CallAdmission, notFound, provideForCall, token } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { CheckedCodeRefs, CodeRefs } from '../schemas.js';

/** What a record of a call's workspace points to. */
export interface References {
  /** References to where the files are now, or marked where they are not there. Throws NOT_FOUND for a project of another workspace. */
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
      return marked(refs, await projects.currentPaths(scope, paths));
    },
    async current(records) {
      const current = new Map<string, ReadonlyMap<string, string>>();
      for (const { workspace_id: workspaceId, project_id } of records) {
        const key = keyOf({ workspace_id: workspaceId, project_id });
        if (current.has(key)) continue;
        const group = records.filter((record) => keyOf(record) === key);
        const scope = { workspaceId, ...(project_id !== null && { projectId: project_id }) };
        const paths = [...new Set(group.flatMap(({ code_refs }) => code_refs.map(({ path }) => path)))];
        current.set(key, await projects.currentPaths(scope, paths));
      }
      return records.map((record) => ({
        ...record,
        code_refs: marked(record.code_refs, current.get(keyOf(record)) ?? new Map()),
      }));
    },
  }),
});

const keyOf = ({ workspace_id, project_id }: Omit<Referring, 'code_refs'>) => `${workspace_id} ${project_id}`;

function marked(refs: CodeRefs, current: ReadonlyMap<string, string>): CheckedCodeRefs {
  const places = new Map<string, CheckedCodeRefs[number]>();
  for (const { path: stored, symbol } of refs) {
    const path = current.get(stored) ?? stored;
    places.set(`${path}#${symbol ?? ''}`, {
      path,
      ...(symbol !== undefined && { symbol }),
      ...(!current.has(stored) && { missing: true as const }),
    });
  }
  return [...places.values()];
}
