import { Link } from 'wouter';
import { useTool } from '../../api/use-tool.js';
import { useToolNames } from '../../shell/use-pages.js';
import { useWorkspace } from '../../shell/workspace.js';
import { words } from '../../ui/format.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

/** What memory learned last; nothing where the deployment has no memory. */
export function MemoryTimeline() {
  const { workspace } = useWorkspace();
  const tools = useToolNames();
  const hasMemory = tools.has('memory_timeline');
  const timeline = useTool(
    'memory_timeline',
    { workspace_id: workspace.id, per_page: 12 },
    { enabled: hasMemory },
  );
  if (!hasMemory) return null;
  return (
    <section className="card">
      <h2>Memory until now</h2>
      <Loaded query={timeline}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is stored in memory yet">
              <p>Decisions, notes and lessons appear here once a client stores them.</p>
            </Empty>
          ) : (
            <ul className="rows events">
              {items.map(({ id, kind, type, title, occurred_at }) => (
                <li key={id}>
                  <span className="badge">{words(type)}</span>
                  <Link className="grow" href={`/memory?${new URLSearchParams({ [kind]: id }).toString()}`}>
                    {title}
                  </Link>
                  <Time value={occurred_at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
