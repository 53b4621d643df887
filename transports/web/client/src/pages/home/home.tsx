import type { Output } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { Page } from '../../shell/page.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { Loaded } from '../../ui/states.js';
import { ConnectClient } from './connect-client.js';
import { Counts } from './counts.js';
import { ExportWorkspace } from './export-workspace.js';
import { FullQuotas } from './full-quotas.js';
import { Languages } from './languages.js';
import { News } from './news.js';
import { Projects } from './projects.js';

type Overview = Output<'workspaces_overview'>;

/** Is everything there, what is new, and how a client is connected. */
export function Home() {
  const { workspace } = useWorkspace();
  const overview = useTool('workspaces_overview', { workspace_id: workspace.id });
  return (
    <Page
      title={workspace.name}
      about={
        overview.data ? (
          <Summary {...overview.data} />
        ) : overview.error ? (
          'Its state could not be read'
        ) : (
          'Reading its state…'
        )
      }
      actions={<ExportWorkspace key={workspace.id} />}
    >
      <Loaded query={overview} lines={3}>
        {({ counts, languages, quotas }) => (
          <>
            {quotas && <FullQuotas quotas={quotas} />}
            <Counts counts={counts} />
            <div className="columns">
              <div className="stack">
                <Projects />
                <News />
              </div>
              <div className="stack">
                <ConnectClient />
                {languages.length > 0 && <Languages languages={languages} />}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ counts, indexing: { pending, failed } }: Overview) {
  const [tone, text] =
    counts.files === 0
      ? (['idle', 'Nothing is indexed yet'] as const)
      : failed > 0
        ? (['bad', `${counted(failed, 'file')} could not be indexed`] as const)
        : pending > 0
          ? (['busy', `${counted(pending, 'file')} waiting to be indexed`] as const)
          : ([
              'good',
              counts.files === 1 ? '1 file, indexed' : `All ${counted(counts.files, 'file')} indexed`,
            ] as const);
  return (
    <>
      <span className={`dot ${tone}`} /> {text}
    </>
  );
}
