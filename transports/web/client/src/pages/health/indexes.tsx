import { Link } from 'wouter';
import type { Output } from '../../api/call.js';
import { useAction, useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Ago } from '../../ui/ago.js';
import { byName, count, counted } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { IndexState } from '../../ui/index-state.js';
import { Empty, Failed, Loaded } from '../../ui/states.js';

type Status = Pick<Output<'projects_index_status'>, 'pending' | 'waiting_for'>;

const MAX_SHOWN = 100;
/** Of so many projects the queue is asked for again and again; of the others, as files of them are done. */
const MAX_POLLED = 10;

export function Indexes() {
  const { workspace } = useWorkspace();
  const query = useTool('projects_list', { workspace_id: workspace.id, per_page: MAX_SHOWN });
  return (
    <section className="card">
      <h2>Index of each project</h2>
      <Loaded query={query}>
        {({ items, total }) => {
          const busy = items.filter(({ indexing_status }) => indexing_status === 'indexing');
          const polled = new Set(busy.slice(0, MAX_POLLED));
          return items.length === 0 ? (
            <Empty title="There is no project yet">
              <p>Home shows how to add the first folder.</p>
            </Empty>
          ) : (
            <>
              <ul className="rows">
                {items.toSorted(byName).map((project) => (
                  <Index key={project.id} {...project} isPolled={polled.has(project)} />
                ))}
              </ul>
              {total > items.length && (
                <p className="card-foot muted">
                  {count(items.length)} of {counted(total, 'project')}:{' '}
                  <Link href="/views/workspaces/projects">see all</Link>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The queue and the age of one index; failed files lead to their reasons, and can be tried again. */
function Index({
  id,
  name,
  isPolled,
}: {
  readonly id: string;
  readonly name: string;
  readonly isPolled: boolean;
}) {
  const status = useTool(
    'projects_index_status',
    { project_id: id, by_step: true },
    { isUnfinished: ({ pending }) => isPolled && pending > 0 },
  );
  const retry = useAction('projects_retry_index');
  const mayWrite = useMayWrite();
  const { data } = status;
  const address = new URLSearchParams({ project: id });
  return (
    <li className="index">
      <div className="grow">
        <Link className="strong" href={`/files?${address.toString()}`}>
          {name}
        </Link>
        <p className="muted time wrap">
          {data && `${count(data.indexed)} indexed, ${count(data.pending)} waiting${stepsOf(data)}`}
          {data && data.indexed_at !== null && (
            <>
              ; changed <Ago value={data.indexed_at} />
            </>
          )}
        </p>
        {data && data.pending > 0 && (
          <progress
            max={data.indexed + data.failed + data.pending}
            value={data.indexed + data.failed + data.pending - meanOf(Object.values(data.waiting_for ?? {}))}
            aria-label={`Indexing ${name}`}
          />
        )}
        {status.error && <Failed error={status.error} again={() => void status.refetch()} />}
        {retry.error && <Failed error={retry.error} />}
      </div>
      {data && data.failed > 0 && (
        <>
          <Link className="badge bad" href={`/files?${address.toString()}&state=failed`}>
            {count(data.failed)} failed
          </Link>
          {mayWrite('projects_retry_index') && (
            <button
              type="button"
              className="button small"
              disabled={retry.isPending}
              onClick={() => retry.mutate({ project_id: id })}
            >
              <Icon name="again" /> Try again
            </button>
          )}
        </>
      )}
      {data && <IndexState state={data.state} />}
    </li>
  );
}

/** What the waiting files wait for: most are searchable long before they are in the code graph. */
function stepsOf({ pending, waiting_for = {} }: Status): string {
  const steps = Object.entries(waiting_for);
  if (pending === 0 || steps.length < 2) return '';
  return ` (${steps.map(([name, waiting]) => `for ${name} ${count(waiting)}`).join(', ')})`;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}
