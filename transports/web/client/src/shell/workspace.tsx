import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import type { Output } from '../api/call.js';
import { accounts, WORKSPACE } from '../api/deployment.js';
import { readStored, writeStored } from '../api/browser-storage.js';
import { useEvery, useTool } from '../api/use-tool.js';
import { Failed } from '../ui/states.js';
import { FirstWorkspace } from './first-workspace.js';
import { useTabOwner } from './use-tab-owner.js';

export type Workspace = Output<'workspaces_list'>['items'][number];
export type Role = Workspace['role'];

const ROLES: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

/** Whether the person's role in a workspace is this one or above. */
export function hasRole({ role }: Workspace, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

interface Choice {
  readonly workspace: Workspace;
  readonly workspaces: readonly Workspace[];
  readonly choose: (id: string) => void;
  /** The address named one that the person does not see. */
  readonly isLost: boolean;
  readonly dismissLost: () => void;
}

const Context = createContext<Choice | undefined>(undefined);
const STORED = 'workspace';
/** Who had it: a browser may be shared. */
const STORED_FOR = 'workspace-user';

/** The workspace that every page is about, and the others that one may use. */
export function useWorkspace(): Choice {
  const choice = useContext(Context);
  if (!choice) throw new Error('useWorkspace is for pages inside WorkspaceChoice');
  return choice;
}

/**
 * Chooses by the address, else what this tab had, else the last one on this browser, else the first. The address names
 * it where there are several, or other people, who may see more of them: a copied address opens the same for others.
 */
export function WorkspaceChoice({ children }: { readonly children: ReactNode }) {
  const owner = useTabOwner();
  const { data, error: listError, refetch } = useEvery('workspaces_list', {});
  if (data && owner.isKnown) return <Chosen workspaces={data.items}>{children}</Chosen>;
  const error = owner.error ?? listError;
  const again = () => void Promise.all([owner.refetch(), refetch()]);
  return (
    <div className="splash">
      {error && error.status !== 401 ? (
        <Failed error={error} again={again} />
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
  const [remembered, remember] = useState(() => readStored('localStorage', STORED));
  const { data: me } = useTool('auth_me', {}, { enabled: accounts });
  const personId = me?.id;
  const named = parameters.get(WORKSPACE);
  const byId = (wanted: string | null | undefined) => workspaces.find(({ id }) => id === wanted);
  const found = byId(named);
  const workspace = found ?? byId(remembered) ?? workspaces[0];
  const chosenId = workspace?.id;
  if (chosenId !== undefined && chosenId !== remembered) remember(chosenId); // links between pages do not name it
  useEffect(() => {
    if (chosenId === undefined) return undefined;
    // A new tab begins with the workspace of the tab from which it was opened.
    const store = () => {
      writeStored('localStorage', STORED, chosenId);
      if (personId !== undefined) writeStored('localStorage', STORED_FOR, personId);
    };
    store();
    addEventListener('focus', store);
    return () => removeEventListener('focus', store);
  }, [chosenId, personId]);
  const [isLost, setLost] = useState(false);
  const isAbsent = named !== null && !found && chosenId !== undefined;
  if (isAbsent && !isLost) setLost(true);
  const mayDiffer = accounts || workspaces.length > 1;
  const isUnnamed = mayDiffer && named === null && chosenId !== undefined;
  useEffect(() => {
    if (!isAbsent && !isUnnamed) return;
    // What a page has set meanwhile stays; records and forms of a workspace that is lost do not.
    const next = new URLSearchParams(isAbsent ? '' : location.search);
    next.set(WORKSPACE, chosenId);
    setParameters(next, { replace: true });
  }, [isAbsent, isUnnamed, chosenId, setParameters]);
  const choice = useMemo(() => {
    if (!workspace) return undefined;
    // Projects, files and results belong to the workspace that one leaves.
    const choose = (id: string) => {
      setLost(false);
      setParameters({ [WORKSPACE]: id });
    };
    return { workspace, workspaces, choose, isLost, dismissLost: () => setLost(false) };
  }, [workspace, workspaces, setParameters, isLost]);
  if (!choice)
    return (
      <FirstWorkspace
        hadOne={personId !== undefined && readStored('localStorage', STORED_FOR) === personId}
        isNamed={named !== null}
      />
    );
  return <Context value={choice}>{children}</Context>;
}
