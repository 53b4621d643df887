import type { DescribedTool, ToolTable } from '../../api/tool-table.js';
import { useDescribedAction } from '../../api/use-described.js';
import { fieldsOf } from '../../form/fields.js';
import { useTool } from '../../api/use-tool.js';
import { accounts } from '../../api/deployment.js';
import { keepLateFailure } from '../../shell/late-results.js';
import { hasRole, isRole, useWorkspace, type Workspace } from '../../shell/workspace.js';
import { textOf } from '../../ui/format.js';
import { Failed } from '../../ui/states.js';
import type { OpenAction } from './action-dialog.js';
import type { Row } from './rows.js';
import type { View } from './view.js';

type Action = View['actions'][number];

/** Arguments by the columns that supply them. The generated type knows no more than that they are fields. */
const columnsOf = (action: Action) => Object.entries(action.with as Readonly<Record<string, string>>);

interface Place {
  readonly view: View;
  readonly row: Row;
  readonly chosenFor: (tool: DescribedTool) => Readonly<Record<string, string>>;
  /** The dialog of an action is above the list: the row may leave it meanwhile. */
  readonly onOpen: (action: OpenAction) => void;
  readonly onDone: (tool: DescribedTool, result: unknown) => void;
}

/** The buttons of a row: those whose columns have values, for what the person may do. */
export function RowActions({ tools, ...place }: Place & { readonly tools: ToolTable }) {
  const { workspace, workspaces } = useWorkspace();
  const { view, row } = place;
  const { data: me } = useTool('auth_me', {}, { enabled: accounts });
  const isOffered = (action: Action) =>
    columnsOf(action).every(([, column]) => (row[column] ?? null) !== null) &&
    (action.unless === undefined || !hasValue(row[action.unless]));
  return [...view.actions, ...(view.remove ? [view.remove] : [])].filter(isOffered).map((action) => {
    const tool = tools.get(action.tool);
    const workspaceId = row[columnsOf(action).find(([argument]) => argument === 'workspace_id')?.[1] ?? ''];
    const where = workspaces.find(({ id }) => id === workspaceId) ?? workspace;
    if (!tool) return null;
    const person = columnsOf(action).find(([argument]) => argument === tool.unlessSelf)?.[1];
    const isSelf = person !== undefined && me !== undefined && row[person] === me.id;
    if (tool.role !== undefined && !isSelf && !hasRole(where, tool.role)) return null;
    if (isAbove(action, row, where)) return null;
    const restorer = restorerOf(view, action, row, me?.id);
    return (
      <ActionButton
        key={action.label}
        {...place}
        action={action}
        tool={tool}
        label={isSelf ? (action.own_label ?? action.label) : action.label}
        asks={action === view.remove}
        restorer={restorer}
      />
    );
  });
}

/** Who gives back what the person may give up by this action; undefined where it is not on the own rights. */
function restorerOf(view: View, action: Action, row: Row, ownId: string | undefined): string | undefined {
  const isOwn = columnsOf(action).some(([, column]) => row[column] === ownId && ownId !== undefined);
  if (!isOwn) return undefined;
  if (view.administrators) return 'another administrator';
  const { role } = row;
  if (!isRole(role)) return undefined;
  if (role === 'owner') return 'another owner';
  return role === 'admin' ? 'another admin or an owner' : 'an owner or admin';
}

/** Whether an action is on a person whose role in the workspace is above the own one: the service refuses those. */
const isAbove = (action: Action, { role }: Row, where: Workspace) =>
  columnsOf(action).some(([argument]) => argument === 'user_id') && isRole(role) && !hasRole(where, role);

const hasValue = (value: unknown) => value !== null && value !== undefined && value !== '' && value !== false;

/** Calls the tool at once where the row supplies all arguments; otherwise, and where it deletes, a dialog opens. */
function ActionButton({
  view,
  row,
  chosenFor,
  onOpen,
  onDone,
  action,
  tool,
  label,
  asks,
  restorer,
}: Place & {
  readonly action: Action;
  readonly tool: DescribedTool;
  readonly label: string;
  readonly asks: boolean;
  readonly restorer: string | undefined;
}) {
  const call = useDescribedAction(tool);
  const supplied = {
    ...chosenFor(tool),
    ...Object.fromEntries(columnsOf(action).map(([argument, column]) => [argument, row[column]])),
  };
  const others = fieldsOf(tool.input, new Set(Object.keys(supplied)));
  const name = textOf(row[view.columns[0] ?? '']);
  const isAsked = asks || tool.effect === 'delete';
  const title = name === '' ? label : `${label}: ${name}`;
  const run = () =>
    call.run(
      supplied,
      ({ result }) => onDone(tool, result),
      (error, isShown) => {
        if (!isShown) keepLateFailure(title, error);
      },
    );
  const open = () => onOpen({ tool, label, title, row, supplied, restorer });
  return (
    <>
      <button
        type="button"
        className={isAsked ? 'button small danger' : 'button small'}
        aria-label={title}
        disabled={call.isPending}
        onClick={isAsked || others.length > 0 ? open : run}
      >
        {label}
      </button>
      {call.error && <Failed error={call.error} again={run} />}
    </>
  );
}
