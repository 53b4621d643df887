import { useQueryClient } from '@tanstack/react-query';
import { accounts } from '../api/deployment.js';
import { refresh, useAction, useTool } from '../api/use-tool.js';
import { Failed } from '../ui/states.js';

/** Workspaces that somebody invited this person to, asked for again and again; nothing where there are none. */
export function OwnInvitations() {
  const client = useQueryClient();
  const { data } = useTool('members_list_invitations', {}, { enabled: accounts, isUnfinished: () => true });
  const accept = useAction('members_accept');
  const decline = useAction('members_decline');
  if (!data || data.items.length === 0) return null;
  const error = accept.error ?? decline.error;
  const isPending = accept.isPending || decline.isPending;
  const onSuccess = () => refresh(client, ['workspaces_', 'auth_me']);
  return (
    <section className="card">
      <h2>You are invited</h2>
      <ul className="rows">
        {data.items.map(({ id, workspace, role, invited_by }) => (
          <li key={id}>
            <div className="grow">
              <p className="strong">{workspace.name}</p>
              <p className="muted time wrap">
                As {role}
                {invited_by && `, by ${invited_by}`}
              </p>
            </div>
            <button
              type="button"
              className="button small primary"
              disabled={isPending}
              onClick={() => accept.mutate({ membership_id: id }, { onSuccess })}
            >
              Accept
            </button>
            <button
              type="button"
              className="button small"
              disabled={isPending}
              onClick={() => decline.mutate({ membership_id: id })}
            >
              Decline
            </button>
          </li>
        ))}
      </ul>
      {error && <Failed error={error} />}
    </section>
  );
}
