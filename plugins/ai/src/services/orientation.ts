import { CallAdmission, Memberships, provideForCall, token } from '@service-mcp/core';
import { IndexStatuses, OverviewPart, ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import type { Orientation, OrientedWorkspace } from '../schemas.js';

export interface OrientationRequest {
  readonly workspace_id?: string;
  /** Repository URL, or the name of the folder or project. */
  readonly repository?: string;
}

/** What a conversation starts with. */
export interface Orientations {
  read(request: OrientationRequest): Promise<Orientation>;
}
export const Orientations = token<Orientations>('ai.Orientations');

/** Workspaces in detail, and projects of all of them. */
const MAX_WORKSPACES = 10;
const MAX_PROJECTS = 50;

export const orientations = provideForCall(Orientations, {
  uses: {
    memberships: Memberships,
    projects: ProjectDirectory,
    statuses: IndexStatuses,
    parts: OverviewPart,
    admission: CallAdmission,
  },
  create({ memberships, projects, statuses, parts, admission }): Orientations {
    const { caller } = admission;
    return {
      async read({ workspace_id, repository }) {
        const named = await memberships.named(caller);
        const visible = named.filter(({ id }) => workspace_id === undefined || id === workspace_id);
        const all = await projects.list(
          visible.map(({ id }) => id),
          MAX_PROJECTS,
        );
        const meant =
          repository === undefined ? undefined : all.find((project) => isMeant(project, repository));
        // The workspace of the project first, then those that got files last.
        const active = [...(meant ? [meant] : []), ...all].map(({ workspaceId }) => workspaceId);
        const place = (id: string) => (active.includes(id) ? active.indexOf(id) : active.length);
        const shown = visible.toSorted((a, b) => place(a.id) - place(b.id)).slice(0, MAX_WORKSPACES);
        const workspaces = await Promise.all(
          shown.map(async ({ id, name, role }): Promise<OrientedWorkspace> => {
            const [index, ...known] = await Promise.all([
              statuses.glance(id),
              ...parts.map((part) => part.read(id)),
            ]);
            return {
              id,
              name,
              role,
              index,
              projects: all
                .filter(({ workspaceId }) => workspaceId === id)
                .map((project) => ({ id: project.id, name: project.name })),
              recent_decisions: known.flatMap(({ recentDecisions = [] }) => titled(recentDecisions)),
              open_tasks: known.flatMap(({ openTasks = [] }) => titled(openTasks)),
            };
          }),
        );
        const [only] = visible.length === 1 && all.length === 1 ? all : [];
        const current = meant ?? only;
        return {
          workspaces,
          total: visible.length,
          current: current ? { workspace_id: current.workspaceId, project_id: current.id } : null,
        };
      },
    };
  },
});

function titled(records: ReadonlyArray<Readonly<Record<string, unknown>>>) {
  return records.map(({ id, title }) => ({ id: String(id), title: String(title) }));
}

/** `git@host:team/app.git`, `https://host/team/app` and `app` name one repository. */
function isMeant(
  { name, repositoryUrl }: { readonly name: string; readonly repositoryUrl: string | null },
  repository: string,
): boolean {
  const wanted = normalized(repository);
  if (repositoryUrl !== null && normalized(repositoryUrl) === wanted) return true;
  return name.toLowerCase() === wanted.split('/').at(-1);
}

function normalized(repository: string): string {
  return repository
    .trim()
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(':', '/')
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
}
