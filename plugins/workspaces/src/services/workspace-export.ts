import {
  CallAdmission,
  WorkspaceData,
  invalidArgument,
  provideForCall,
  requireScope,
  token,
} from '@service-mcp/core';

/** Pages of all records of a workspace, from every plugin. */
export interface WorkspaceExport {
  /**
   * Throws INVALID_ARGUMENT for a cursor that is not from an earlier page, and PERMISSION_DENIED where the caller lacks the
   * scope of any part: a part that was left out would be taken for empty.
   */
  read(
    workspaceId: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ records: Array<{ record: string }>; next: string | null }>;
}
export const WorkspaceExport = token<WorkspaceExport>('workspaces.WorkspaceExport');

const CURSOR = /^(\d{1,4}):([^]*)$/;

export const workspaceExport = provideForCall(WorkspaceExport, {
  uses: { data: WorkspaceData, admission: CallAdmission },
  create: ({ data, admission }) => {
    const parts = data.flatMap((part) => (part.export ? [part.export.bind(part)] : []));
    return {
      async read(workspaceId, cursor = '0:', limit) {
        for (const { scope } of data)
          if (scope !== undefined) requireScope(admission.caller, scope, 'Everything of this workspace');
        const [, position, place] = CURSOR.exec(cursor) ?? [];
        const at = Number(position);
        const read = parts[at];
        if (!read) throw invalidArgument('/cursor', 'must be the next of an earlier page');
        const page = await read(workspaceId, place === '' ? undefined : place, limit);
        const following = page.next === undefined ? `${at + 1}:` : `${at}:${page.next}`;
        const isLast = page.next === undefined && at + 1 === parts.length;
        return { records: page.records.map((record) => ({ ...record })), next: isLast ? null : following };
      },
    };
  },
});
