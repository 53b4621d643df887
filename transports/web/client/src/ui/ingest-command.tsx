import { ROOT } from '../api/deployment.js';
import { useWorkspace } from '../shell/workspace.js';
import { Command } from './command.js';

/** What brings a folder into this workspace; the command asks for the workspace where there are several. */
export function IngestCommand() {
  const { workspace, workspaces } = useWorkspace();
  const into = workspaces.length > 1 ? ` --workspace ${workspace.id}` : '';
  return <Command text={`service-mcp ingest . --url ${ROOT.href.replace(/\/$/, '')}${into}`} />;
}
