import { ROOT } from '../api/deployment.js';
import { useWorkspace } from '../shell/workspace.js';
import { Command } from './command.js';

/** What brings a folder into a project, or as a new one into this workspace, which the command names where there are several. */
export function IngestCommand({ projectId }: { readonly projectId?: string }) {
  const { workspace, workspaces } = useWorkspace();
  const into =
    projectId !== undefined
      ? ` --project ${projectId}`
      : workspaces.length > 1
        ? ` --workspace ${workspace.id}`
        : '';
  return <Command text={`service-mcp ingest . --url ${ROOT.href.replace(/\/$/, '')}${into}`} />;
}
