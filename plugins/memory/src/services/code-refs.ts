import { CallAdmission, notFound, provideForCall, token } from '@service-mcp/core';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { CheckedCodeRefs, CodeRefs } from '../schemas.js';

/** What a record of a call's workspace points to. */
export interface References {
  /** Marks references to files that are not there. Throws NOT_FOUND for a project of another workspace. */
  check(projectId: string | undefined, refs: CodeRefs): Promise<CheckedCodeRefs>;
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
      const existing = await projects.existingPaths(scope, paths);
      return refs.map((ref) => (existing.has(ref.path) ? ref : { ...ref, missing: true as const }));
    },
  }),
});
