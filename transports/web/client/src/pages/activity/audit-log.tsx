import { accounts } from '../../api/deployment.js';
import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { usePeople } from '../../shell/use-people.js';
import { useProjects } from '../../shell/use-projects.js';
import { hasRole, useWorkspace } from '../../shell/workspace.js';
import { count, words } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { useAddress } from '../../ui/use-address.js';

const PAGE_SIZE = 12;

/** How a call reads after the name of its caller; others are shown by the name of their tool. */
const VERBS: Readonly<Record<string, string>> = {
  ai_generate_plan: 'made a plan',
  auth_create_api_key: 'made an API key',
  auth_delete_account: 'deleted an account',
  auth_invite: 'invited a person by a link',
  auth_revoke_api_key: 'revoked an API key',
  auth_revoke_connection: 'disconnected an application',
  auth_revoke_invitation: 'withdrew an invitation',
  auth_revoke_session: 'ended a login',
  auth_update_account: 'changed an account',
  auth_login: 'signed in',
  auth_logout: 'signed out',
  auth_password: 'set a password',
  auth_register: 'made an account',
  files_delete: 'deleted files',
  files_ingest: 'brought in files',
  graph_link_knowledge: 'related knowledge',
  graph_unlink_knowledge: 'took a relation of knowledge away',
  members_accept: 'joined the workspace',
  members_add: 'invited a person',
  members_decline: 'declined an invitation',
  members_remove: 'removed a person',
  members_update: 'changed a role',
  memory_create_event: 'stored a memory event',
  memory_create_node: 'stored knowledge',
  memory_delete_event: 'deleted a memory event',
  memory_delete_many: 'deleted records of memory',
  memory_delete_node: 'deleted knowledge',
  memory_import: 'imported memory',
  memory_keep_apart: 'kept records apart',
  memory_merge: 'merged records',
  memory_set_node_status: 'verified or disputed knowledge',
  memory_supersede_node: 'superseded knowledge',
  memory_undo: 'undid a change of memory',
  memory_update_event: 'changed a memory event',
  memory_update_node: 'changed knowledge',
  oauth_allow: 'connected an application',
  oauth_disconnect: 'disconnected an application',
  projects_create: 'created a project',
  projects_delete: 'deleted a project',
  projects_retry_index: 'tried failed files again',
  projects_update: 'changed a project',
  workspaces_create: 'created the workspace',
  workspaces_update: 'changed the workspace',
};

/** Who changed what, from the audit log; for admins of the workspace. Nothing where there are no accounts. */
export function AuditLog() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const page = Number(get('page')) || 1;
  const isAdmin = hasRole(workspace, 'admin');
  const audit = useTool(
    'auth_list_audit',
    { workspace_id: workspace.id, page, per_page: PAGE_SIZE },
    { enabled: accounts && isAdmin, keep: true },
  );
  const personOf = usePeople();
  const { items: projects } = useProjects();
  if (!accounts) return null;
  return (
    <section className="card">
      <h2>Who changed what</h2>
      {isAdmin ? (
        <Loaded query={audit}>
          {({ items, total }) => (
            <>
              {items.length === 0 && total > 0 && <NothingLeft onFirst={() => set({ page: '' })} />}
              {total === 0 && (
                <Empty title="Nothing was changed yet">
                  <p>Changes and refused calls appear here.</p>
                </Empty>
              )}
              <ul className="rows events">
                {repeated(items).map(({ entry, times }) => {
                  const { id, at, user_id, action, outcome } = entry;
                  const project = projects.find((each) => each.id === projectOf(entry))?.name;
                  return (
                    <li key={id}>
                      <p className="grow">
                        <b>{personOf(user_id) ?? (user_id === null ? 'Somebody' : 'A former member')}</b>{' '}
                        {VERBS[action] ?? words(action).toLowerCase()}
                        {project !== undefined && ` in ${project}`}
                        {times > 1 && `, ${count(times)} times`}
                      </p>
                      {outcome !== 'OK' && <span className="badge bad">{words(outcome.toLowerCase())}</span>}
                      <Time value={at} />
                    </li>
                  );
                })}
              </ul>
              <Pager
                page={page}
                pages={Math.ceil(total / PAGE_SIZE)}
                about={`${total} in all`}
                onPage={(next) => set({ page: String(next) })}
              />
            </>
          )}
        </Loaded>
      ) : (
        <Empty title="For admins of the workspace">
          <p>The audit log names every change with its person.</p>
        </Empty>
      )}
    </section>
  );
}

type Entry = Output<'auth_list_audit'>['items'][number];

const projectOf = ({ target }: Entry) => /\bproject_id=(\S+)/.exec(target ?? '')?.[1];

/** Entries that follow each other and read the same, as the newest of them and their number. */
function repeated(entries: readonly Entry[]): readonly { readonly entry: Entry; readonly times: number }[] {
  const rows: { readonly entry: Entry; times: number }[] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    const isSame =
      last?.entry.user_id === entry.user_id &&
      last.entry.action === entry.action &&
      last.entry.outcome === entry.outcome &&
      projectOf(last.entry) === projectOf(entry);
    if (last && isSame) last.times += 1;
    else rows.push({ entry, times: 1 });
  }
  return rows;
}
