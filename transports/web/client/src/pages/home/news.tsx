import { Link } from 'wouter';
import { useTool } from '../../api/use-tool.js';
import { useToolNames } from '../../shell/use-pages.js';
import { useWorkspace } from '../../shell/workspace.js';
import { words } from '../../ui/format.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

/** The newest records of memory; nothing where the deployment has no memory. */
export function News() {
  return useToolNames().has('memory_timeline') ? <NewestRecords /> : null;
}

function NewestRecords() {
  const { workspace } = useWorkspace();
  const records = useTool('memory_timeline', { workspace_id: workspace.id, per_page: 6 });
  return (
    <section className="card">
      <h2>What is new</h2>
      <Loaded query={records}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is stored in memory yet">
              <p>
                Decisions, notes and lessons of your team appear here, as soon as a connected client stores
                the first one. Ask it: “Remember that we release on Tuesdays.”
              </p>
            </Empty>
          ) : (
            <ul className="rows">
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
