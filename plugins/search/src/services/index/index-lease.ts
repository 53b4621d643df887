import type { Lease, Leases } from '@service-mcp/core';

/** The right to write the index of a workspace. */
export interface Turn {
  readonly workspaceId: string;
  readonly lease: Lease;
}

/**
 * The lease on the index of a workspace. Everything that writes the index holds it (documents, removals, maintenance, the
 * vectors of a new space, repair), so that several processes share the workspaces. Undefined while another has it.
 */
export function takeIndexLease(leases: Leases, workspaceId: string): Promise<Lease | undefined> {
  return leases.take(`search.index:${workspaceId}`);
}

/** The lease on what concerns the indexes of all workspaces. */
export function takeDeploymentLease(leases: Leases): Promise<Lease | undefined> {
  return leases.take('search.indexes');
}

/** The lease on the training of a workspace's embedder, which takes minutes and writes nothing. */
export function takeTrainingLease(leases: Leases, workspaceId: string): Promise<Lease | undefined> {
  return leases.take(`search.training:${workspaceId}`);
}
