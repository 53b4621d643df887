import { useState, type FormEvent } from 'react';
import { accounts, ROOT } from '../api/deployment.js';
import { useAction, useTool } from '../api/use-tool.js';
import { Mark } from '../ui/icon.js';
import { OwnInvitations } from './own-invitations.js';
import { Empty, Failed } from '../ui/states.js';

interface FirstWorkspaceProps {
  /** This browser showed the person one before. */
  readonly hadOne: boolean;
  /** The address names one: somebody sent it. */
  readonly isNamed: boolean;
}

/** For an account that is in no workspace: yet, or any longer. */
export function FirstWorkspace({ hadOne, isNamed }: FirstWorkspaceProps) {
  const [name, setName] = useState('');
  const create = useAction('workspaces_create');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name });
  };
  const { data: deployment } = useTool('deployment_get', {});
  const { data: invitations } = useTool('members_list_invitations', {}, { enabled: accounts });
  const isInvited = (invitations?.items.length ?? 0) > 0;
  const title = titleOf(hadOne, isNamed);
  if (deployment?.read_only === true)
    return (
      <main className="splash">
        <Empty title={title ?? 'You are in no workspace yet'}>
          <p>This service is read-only: ask its operator to let you make one, or to invite you.</p>
        </Empty>
        <SignedInAs />
      </main>
    );
  return (
    <main className="splash stack">
      <OwnInvitations />
      <form className="card" onSubmit={submit}>
        <div className="card-body stack">
          <Mark />
          <h1>
            {isInvited ? 'Or create a workspace of your own' : (title ?? 'Create your first workspace')}
          </h1>
          {hadOne && !isInvited && (
            <p>
              The workspace that you used here was deleted, you left it, or you were removed from it: an
              administrator of it can tell, and can add you again. Or create one of your own.
            </p>
          )}
          {isNamed && !hadOne && !isInvited && (
            <p>
              It was deleted, or only its members see it. Ask whoever sent you here to invite this account:
              the page opens when you accept. Or create a workspace of your own.
            </p>
          )}
          <p className="muted">
            A workspace holds projects and memory, and the people who share them.
            {!isInvited && ' To join one instead, ask its administrator for an invitation.'}
          </p>
          <label className="field">
            Name
            <input value={name} onChange={({ target }) => setName(target.value)} maxLength={200} required />
          </label>
          {create.error && <Failed error={create.error} />}
          <div>
            <button type="submit" className="button primary" disabled={create.isPending}>
              {create.isPending ? 'Creating…' : 'Create workspace'}
            </button>
          </div>
        </div>
      </form>
      <SignedInAs />
    </main>
  );
}

/** What stands in the way of what the person came for; undefined where it is nothing but a beginning. */
function titleOf(hadOne: boolean, isNamed: boolean): string | undefined {
  if (hadOne) return 'You are not in a workspace any longer';
  return isNamed ? 'You are not a member of this workspace' : undefined;
}

/** Whose account it is, and the way to another one. */
function SignedInAs() {
  const { data: me } = useTool('auth_me', {}, { enabled: accounts });
  if (!me) return null;
  return (
    <p className="muted">
      You are signed in as {me.email}.{' '}
      <a href={new URL('oauth/account', ROOT).href}>Sign out, or change it</a>
    </p>
  );
}
