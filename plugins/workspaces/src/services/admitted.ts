import type { Admission } from '@service-mcp/core';

/** Ids of the workspaces that the call may touch; every query of a repository is confined to them. */
export function admittedIds(admission: Admission): string[] {
  return [...admission.workspaces.keys()];
}

/** The one workspace of a call on a resource. */
export function admittedId(admission: Admission): string {
  const [id, ...more] = admission.workspaces.keys();
  if (id === undefined || more.length > 0) throw new Error('the call was not admitted to one workspace');
  return id;
}
