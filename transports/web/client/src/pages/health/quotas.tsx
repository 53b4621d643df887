import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';
import { bytes, count, words } from '../../ui/format.js';

export type Quota = NonNullable<Output<'workspaces_overview'>['quotas']>[number];

/** From this share on, a quota is nearly used up. */
export const NEARLY_FULL = 0.9;

export function usageOf({ resource, limit, used }: Quota): string {
  const show = resource === 'bytes' ? bytes : count;
  return `${show(used)} of ${show(limit)}`;
}

/** What the workspace may hold, and what it holds; nothing where the operator set no quota. */
export function Quotas() {
  const { workspace } = useWorkspace();
  const { data } = useTool('workspaces_overview', { workspace_id: workspace.id });
  if (!data?.quotas) return null;
  return (
    <section className="card">
      <h2>Quotas of this workspace</h2>
      <ul className="rows">
        {data.quotas.map((quota) => {
          const { resource, limit, used } = quota;
          const isFull = used >= limit;
          return (
            <li key={resource}>
              <div className="grow">
                <p className="strong">{words(resource)}</p>
                <p className="muted time">{usageOf(quota)}</p>
              </div>
              <meter
                min={0}
                max={limit}
                high={NEARLY_FULL * limit}
                optimum={0}
                value={used}
                aria-label={`${words(resource)} used`}
              />
              {isFull && <span className="badge bad">Full</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
