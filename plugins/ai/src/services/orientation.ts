import { CallAdmission, Memberships, holdsScope, provideForCall, token } from '@service-mcp/core';
import {
  IndexStatuses,
  OverviewPart,
  ProjectDirectory,
  type ListedProject,
} from '@service-mcp/plugin-workspaces/contract';
import type { Orientation, OrientedWorkspace } from '../schemas.js';

export interface OrientationRequest {
  readonly workspace_id?: string;
  /** Repository URL, or the name of the folder or project. */
  readonly repository?: string;
}

/** What a conversation starts with. */
export interface Orientations {
  read(request: OrientationRequest): Promise<Omit<Orientation, 'guide'>>;
}
export const Orientations = token<Orientations>('ai.Orientations');

/** Workspaces in detail, their projects, and projects among which that of a repository is looked for. */
const MAX_WORKSPACES = 10;
const MAX_SHOWN = 50;
const MAX_PROJECTS = 1000;

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
        const meant = repository === undefined ? undefined : projectOf(repository, all);
        const known = parts.filter(({ scope }) => scope === undefined || holdsScope(caller, scope));
        const listed = meant ? [meant, ...all.filter((project) => project !== meant)] : all;
        // The workspace of the project first, then those that got files last.
        const active = listed.map(({ workspaceId }) => workspaceId);
        const place = (id: string) => (active.includes(id) ? active.indexOf(id) : active.length);
        const shown = visible.toSorted((a, b) => place(a.id) - place(b.id)).slice(0, MAX_WORKSPACES);
        const workspaces = await Promise.all(
          shown.map(async ({ id, name, role }): Promise<OrientedWorkspace> => {
            const [index, ...records] = await Promise.all([
              statuses.glance(id),
              ...known.map((part) => part.read(id)),
            ]);
            return {
              id,
              name,
              role,
              index,
              projects: listed
                .slice(0, MAX_SHOWN)
                .filter(({ workspaceId }) => workspaceId === id)
                .map((project) => ({ id: project.id, name: project.name })),
              recent_decisions: records.flatMap(({ recentDecisions = [] }) => titled(recentDecisions)),
              open_tasks: records.flatMap(({ openTasks = [] }) => titled(openTasks)),
            };
          }),
        );
        const project = meant ?? (repository === undefined && all.length === 1 ? all[0] : undefined);
        const workspace = project?.workspaceId ?? (visible.length === 1 ? visible[0]?.id : undefined);
        return {
          workspaces,
          total: visible.length,
          current:
            workspace === undefined ? null : { workspace_id: workspace, project_id: project?.id ?? null },
        };
      },
    };
  },
});

function titled(records: ReadonlyArray<{ readonly id: string; readonly title: string }>) {
  return records.map(({ id, title }) => ({ id, title }));
}

/** A folder on the machine of the caller, as opposed to a URL: `app`, `/home/me/app`, `C:\app`. */
const FOLDER = /^(?:[^/\\:]*$|[/~.\\]|[a-z]:[/\\])/i;

/**
 * The project with this URL, else the only one with the name of its folder, unless the URL of that one is another.
 * `git@host:team/app.git`, `https://host/team/app` and `app` name one repository.
 */
function projectOf(repository: string, projects: readonly ListedProject[]): ListedProject | undefined {
  const wanted = normalized(repository);
  const folder = wanted.split('/').at(-1);
  const same = projects.find(
    ({ repositoryUrl }) => repositoryUrl !== null && normalized(repositoryUrl) === wanted,
  );
  if (same) return same;
  const isFolder = FOLDER.test(repository.trim());
  const named = projects.filter(
    ({ name, repositoryUrl }) => name.toLowerCase() === folder && (isFolder || repositoryUrl === null),
  );
  return named.length === 1 ? named[0] : undefined;
}

function normalized(repository: string): string {
  return repository
    .trim()
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(':', '/')
    .replaceAll('\\', '/')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '');
}
