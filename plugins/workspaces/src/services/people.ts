import { LOCAL_OWNER, ServiceError, type Directory } from '@service-mcp/core';

export interface Person {
  readonly email: string;
  readonly name: string;
}

/** The local owner of a deployment without accounts. */
const OWNER: Person = { email: 'owner@localhost', name: LOCAL_OWNER.name };
/** A user without an account in this deployment, for example after its auth plugin was disabled. */
const UNKNOWN: Person = { email: '', name: 'unknown' };

/** Rows with the address and name of their user. */
export async function withPeople<Row extends { readonly user_id: string }>(
  directory: Directory | undefined,
  rows: readonly Row[],
): Promise<Array<Row & Person>> {
  const ids = new Set(rows.map((row) => row.user_id));
  const known = (await directory?.byIds([...ids])) ?? new Map<string, Person>();
  return rows.map((row) => {
    const isOwner = row.user_id === LOCAL_OWNER.userId;
    const { email, name } = known.get(row.user_id) ?? (isOwner ? OWNER : UNKNOWN);
    return { ...row, email, name };
  });
}

/** The person with this address. Throws NOT_FOUND; its message says how to add one. */
export async function findPerson(
  directory: Directory | undefined,
  email: string,
): Promise<{ readonly id: string }> {
  if (directory) {
    const found = await directory.byEmail(email);
    if (found) return found;
    throw new ServiceError(
      'NOT_FOUND',
      `Nobody here has the address ${email}. Invite them with auth_invite, which takes this workspace_id and a role.`,
    );
  }
  if (email.toLowerCase() === OWNER.email) return { id: LOCAL_OWNER.userId };
  throw new ServiceError(
    'NOT_FOUND',
    'This deployment has one local owner and keeps no accounts. Enable the auth plugin to add people.',
  );
}
