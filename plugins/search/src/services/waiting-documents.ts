import type { IndexSource } from '../contract.js';

type Sources = readonly IndexSource[];

/** Workspaces with waiting documents or removals of any source. */
export async function waitingWorkspaces(
  sources: Sources,
  which?: Parameters<IndexSource['waitingWorkspaces']>[0],
): Promise<readonly string[]> {
  const waiting = new Set<string>();
  for (const source of sources) {
    for (const workspaceId of await source.waitingWorkspaces(which)) waiting.add(workspaceId);
  }
  return [...waiting];
}

/** Whether so many documents of a workspace wait. */
export async function areWaiting(sources: Sources, workspaceId: string, count: number): Promise<boolean> {
  let waiting = 0;
  for (const source of sources) waiting += (await source.newest(workspaceId, count)).length;
  return waiting >= count;
}
