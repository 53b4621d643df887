import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { Output } from '../api/call.js';
import { useTool } from '../api/use-tool.js';
import { Failed } from '../ui/states.js';
import { FirstWorkspace } from './first-workspace.js';

export type Workspace = Output<'workspaces_list'>['items'][number];
export type Role = Workspace['role'];

const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

/** Whether the person's role in a workspace is this one or above. */
export function hasRole({ role }: Workspace, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

interface Choice {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly choose: (id: string) => void;
}

const Context = createContext<Choice | undefined>(undefined);
const STORED = 'workspace';

/** The workspace that every page is about, and the others that one may use. */
export function useWorkspace(): Choice {
  const choice = useContext(Context);
  if (!choice) throw new Error('useWorkspace is for pages inside WorkspaceChoice');
  return choice;
}

/** Chooses by the address, else the last one on this browser, else the first. */
export function WorkspaceChoice({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useTool('workspaces_list', { per_page: 100 });
  if (data) return <Chosen workspaces={data.items}>{children}</Chosen>;
  return (
    <div className="splash">
      {error && error.status !== 401 ? (
        <Failed error={error} again={() => void refetch()} />
      ) : (
        <output className="muted">Loading…</output>
      )}
    </div>
  );
}

function Chosen({
  workspaces,
  children,
}: {
  readonly workspaces: readonly Workspace[];
  readonly children: ReactNode;
}) {
  const [parameters, setParameters] = useSearchParams();
  const wanted = parameters.get(STORED) ?? localStorage.getItem(STORED);
  const workspace = workspaces.find(({ id }) => id === wanted) ?? workspaces[0];
  const choice = useMemo(() => {
    if (!workspace) return undefined;
    const choose = (id: string) => {
      localStorage.setItem(STORED, id);
      setParameters({ [STORED]: id }); // projects, files and results belong to the workspace that one leaves
    };
    return { workspace, workspaces, choose };
  }, [workspace, workspaces, setParameters]);
  if (!choice) return <FirstWorkspace />;
  return <Context value={choice}>{children}</Context>;
}
