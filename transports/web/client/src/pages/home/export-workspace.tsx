import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, type Output } from '../../api/call.js';
import type { Failure } from '../../api/failure.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { Failed } from '../../ui/states.js';

const LINES = 'application/x-ndjson';
/** The browser has begun to save a file by then. */
const SAVING_MS = 60_000;

/** Saves everything that the workspace holds as the file that `service-mcp export` writes and `import` reads; for admins. */
export function ExportWorkspace() {
  const { workspace } = useWorkspace();
  const mayExport = useMayWrite()('workspaces_export', 'admin');
  const [read, setRead] = useState(0);
  const save = useMutation<void, Failure>({
    mutationFn: async () => saveFile(`${workspace.name}.ndjson`, await linesOf(workspace.id, setRead)),
  });
  if (!mayExport) return null;
  const run = () => {
    setRead(0);
    save.mutate();
  };
  return (
    <div className="stack">
      <button
        type="button"
        className="button"
        title="Projects, files, memory and members, as a file that service-mcp import reads"
        disabled={save.isPending}
        onClick={run}
      >
        {save.isPending ? `Exporting, ${counted(read, 'record')}…` : 'Export everything'}
      </button>
      {save.error && <Failed error={save.error} again={run} />}
    </div>
  );
}

/** One record a line; the last line counts them, so that a file that was cut off is told. */
async function linesOf(workspaceId: string, onRead: (records: number) => void): Promise<string[]> {
  const lines: string[] = [];
  const add = (record: object) => lines.push(`${JSON.stringify(record)}\n`);
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: Output<'workspaces_export'> = await call('workspaces_export', {
      workspace_id: workspaceId,
      cursor,
    });
    page.records.forEach(add);
    onRead(lines.length);
    cursor = page.next;
  }
  add({ record: 'end', records: lines.length });
  return lines;
}

function saveFile(name: string, parts: string[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: LINES }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MS);
}
