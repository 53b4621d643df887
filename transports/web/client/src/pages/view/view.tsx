import { useState } from 'react';
import { useParams } from 'wouter';
import type { Output } from '../../api/call.js';
import { useToolTable, type DescribedTool, type ToolTable } from '../../api/tool-table.js';
import { useIsShown } from '../../api/use-run.js';
import { useTool } from '../../api/use-tool.js';
import { ToolForm } from '../../form/tool-form.js';
import { keepLateSecrets } from '../../shell/late-results.js';
import { Page } from '../../shell/page.js';
import { hasRole, useWorkspace } from '../../shell/workspace.js';
import { announce } from '../../ui/announce.js';
import { sentence } from '../../ui/format.js';
import { Modal } from '../../ui/modal.js';
import { NoProject, ProjectSelect, useProject } from '../../ui/project-choice.js';
import { Empty, Loaded, Skeleton } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { NotFound } from '../not-found.js';
import { Rows } from './rows.js';
import { ShownOnce, secretsOf, type Secret } from '../../ui/shown-once.js';

export type View = Output<'deployment_get'>['views'][number];

/** A page that a plugin declares: its list, a form to create, actions of each row. */
export function ViewPage() {
  const { plugin, id } = useParams();
  const deployment = useTool('deployment_get', {});
  const tools = useToolTable();
  const view = deployment.data?.views.find((each) => each.plugin === plugin && each.id === id);
  if (deployment.data && !view) return <NotFound />;
  if (!view) return deployment.error ? null : <Skeleton lines={8} />; // the shell tells of the failure
  const list = tools.data?.get(view.list);
  if (tools.data && list)
    return <Found key={`${view.plugin}/${view.id}`} view={view} list={list} tools={tools.data} />;
  return (
    <Page title={view.title}>
      <Loaded query={tools} lines={8}>
        {() => (
          <Empty title="This page cannot be shown">
            <p>Its list is the tool {view.list}, which has no REST route.</p>
          </Empty>
        )}
      </Loaded>
    </Page>
  );
}

function Found({
  view,
  list,
  tools,
}: {
  readonly view: View;
  readonly list: DescribedTool;
  readonly tools: ToolTable;
}) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const isShown = useIsShown();
  const [isCreating, setCreating] = useState(false);
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  const takes = (tool: DescribedTool, name: string) => tool.input.properties?.[name] !== undefined;
  const ofProject = takes(list, 'project_id');
  const { query, projects, project } = useProject(get, set, { enabled: ofProject });
  const isProjectMissing =
    ofProject && !project && (get('project') !== '' || list.input.required?.includes('project_id'));
  /** What the person has chosen, as far as a tool takes it. */
  const chosenFor = (tool: DescribedTool): Readonly<Record<string, string>> => ({
    ...(takes(tool, 'workspace_id') && { workspace_id: workspace.id }),
    ...(takes(tool, 'project_id') && ofProject && project && { project_id: project.id }),
  });
  const create = tools.get(view.create ?? '');
  const mayCreate = create && (create.role === undefined || hasRole(workspace, create.role));
  const onDone = (tool: DescribedTool, result: unknown) => {
    announce(`Done: ${tool.title}`);
    const made = secretsOf(tool, result);
    if (made.length === 0) return;
    if (isShown.current) setSecrets((before) => [...made, ...before]);
    else keepLateSecrets(made);
  };
  // A page about one workspace creates in that; another one asks, and offers the chosen one first.
  const isAsked = create && takes(create, 'workspace_id') && !takes(list, 'workspace_id');
  return (
    <Page
      title={view.title}
      wide
      about={view.about ?? sentence(list.description.replace(/^Lists /, ''))}
      actions={
        <div className="filters">
          {ofProject && projects.length > 0 && (
            <ProjectSelect
              project={project}
              projects={projects}
              onChange={(id) => set({ project: id, page: '' })}
            />
          )}
          {mayCreate && (
            <button type="button" className="button primary" onClick={() => setCreating(true)}>
              {create.title}
            </button>
          )}
        </div>
      }
    >
      {secrets.length > 0 && <ShownOnce secrets={secrets} onClose={() => setSecrets([])} />}
      {isProjectMissing ? (
        <Loaded query={query}>{() => <NoProject isOther={projects.length > 0} />}</Loaded>
      ) : (
        <Rows view={view} list={list} tools={tools} chosenFor={chosenFor} onDone={onDone} />
      )}
      {isCreating && create && (
        <Modal className="dialog" label={create.title} isForm onClose={() => setCreating(false)}>
          <h2>{create.title}</h2>
          <p className="muted">{create.description}</p>
          <ToolForm
            tool={create}
            label={create.title}
            supplied={isAsked ? {} : chosenFor(create)}
            suggested={isAsked ? chosenFor(create) : {}}
            onDone={(result) => onDone(create, result)}
            onClose={() => setCreating(false)}
          />
        </Modal>
      )}
    </Page>
  );
}
