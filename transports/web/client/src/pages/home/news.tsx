import { Link } from 'wouter';
import { useTool } from '../../api/use-tool.js';
import { useToolNames } from '../../shell/use-pages.js';
import { useWorkspace } from '../../shell/workspace.js';
import { words } from '../../ui/format.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

/** The newest events of memory; nothing where the deployment has no memory. */
export function News() {
  return useToolNames().has('memory_list_events') ? <NewestEvents /> : null;
}

function NewestEvents() {
  const { workspace } = useWorkspace();
  const events = useTool('memory_list_events', { workspace_id: workspace.id, per_page: 6 });
  return (
    <section className="card">
      <h2>What is new</h2>
      <Loaded query={events}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is remembered yet">
              <p>
                Decisions, notes and lessons of your team appear here, as soon as a connected client stores
                the first one. Ask it: “Remember that we release on Tuesdays.”
              </p>
            </Empty>
          ) : (
            <ul className="rows">
              {items.map(({ id, event_type, title, occurred_at }) => (
                <li key={id}>
                  <span className="badge">{words(event_type)}</span>
                  <Link className="grow" href={`/memory?event=${id}`}>
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
