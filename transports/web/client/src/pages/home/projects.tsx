import { Link } from 'wouter';
import { useProjects } from '../../shell/use-projects.js';
import { Ago } from '../../ui/ago.js';
import { counted } from '../../ui/format.js';
import { IndexState } from '../../ui/index-state.js';
import { IngestCommand } from '../../ui/ingest-command.js';
import { Empty, Loaded } from '../../ui/states.js';

const MAX_SHOWN = 8;

export function Projects() {
  const { query, items } = useProjects();
  return (
    <section className="card">
      <h2>Projects</h2>
      <Loaded query={query}>
        {() =>
          items.length === 0 ? (
            <Empty title="Add a folder of code or documents">
              <p>It can be searched within seconds, and stays up to date with --watch.</p>
              <IngestCommand />
            </Empty>
          ) : (
            <>
              <ul className="rows projects">
                {items.slice(0, MAX_SHOWN).map(({ id, name, file_count, indexing_status, indexed_at }) => (
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
              {items.length > MAX_SHOWN && (
                <p className="card-foot muted">
                  And <Link href="/views/workspaces/projects">{items.length - MAX_SHOWN} more</Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
