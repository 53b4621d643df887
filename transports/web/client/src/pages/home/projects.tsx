import { Link } from 'wouter';
import { useTool } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Ago } from '../../ui/ago.js';
import { counted } from '../../ui/format.js';
import { IndexState } from '../../ui/index-state.js';
import { IngestCommand } from '../../ui/ingest-command.js';
import { Empty, Loaded } from '../../ui/states.js';

export function Projects() {
  const { workspace } = useWorkspace();
  const projects = useTool('projects_list', { workspace_id: workspace.id, per_page: 8 });
  return (
    <section className="card">
      <h2>Projects</h2>
      <Loaded query={projects}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="Add a folder of code or documents">
              <p>It can be searched within seconds, and stays up to date with --watch.</p>
              <IngestCommand />
            </Empty>
          ) : (
            <>
              <ul className="rows projects">
                {items.map(({ id, name, file_count, indexing_status, indexed_at }) => (
                  <li key={id}>
                    <Link className="grow strong" href={`/files?project=${id}`}>
                      {name}
                    </Link>
                    <span className="muted time">{counted(file_count, 'file')}</span>
                    <span className="muted time">{indexed_at !== null && <Ago value={indexed_at} />}</span>
                    <IndexState state={indexing_status} />
                  </li>
                ))}
              </ul>
              {total > items.length && (
                <p className="card-foot muted">
                  And <Link href="/views/workspaces/projects">{total - items.length} more</Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
