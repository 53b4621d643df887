import type { ReactNode } from 'react';
import { useTool } from '../../api/use-tool.js';
import { IngestCommand } from '../../ui/ingest-command.js';
import { Empty, Loaded } from '../../ui/states.js';

/** Says why a project has no graph; shows what is inside where it has one. Warnings of the graph stand above. */
export function NoGraph({
  projectId,
  children,
}: {
  readonly projectId: string;
  readonly children: ReactNode;
}) {
  const overview = useTool('graph_overview', { project_id: projectId, limit: 1 });
  return (
    <Loaded query={overview} lines={10}>
      {({ totals, index, warnings }) =>
        totals.symbols === 0 ? (
          <WhyEmpty {...index} projectId={projectId} />
        ) : (
          <>
            {warnings.map((warning) => (
              <p key={warning} className="notice inline">
                {warning}
              </p>
            ))}
            {children}
          </>
        )
      }
    </Loaded>
  );
}

function WhyEmpty({
  state,
  pending,
  projectId,
}: {
  readonly state: string;
  readonly pending: number;
  readonly projectId: string;
}) {
  if (pending > 0)
    return (
      <Empty title="The graph is being built">
        <p>This page shows it as soon as the files of the project are read.</p>
      </Empty>
    );
  if (state === 'not_indexed' || state === 'empty')
    return (
      <Empty title="This project has no files yet">
        <p>Add its folder:</p>
        <IngestCommand projectId={projectId} />
      </Empty>
    );
  return (
    <Empty title="This project has no graph">
      <p>
        None of its files are in a language of the graph: TypeScript, JavaScript, Python, Go, Java, Rust, C,
        C++, C#, Ruby and PHP, components of Vue, Svelte and Astro, and notebooks of Python. Search finds all
        of them.
      </p>
    </Empty>
  );
}
