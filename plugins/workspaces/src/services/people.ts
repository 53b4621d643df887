import { LOCAL_OWNER, ServiceError, type Directory } from '@service-mcp/core';

export interface Person {
  readonly email: string;
  readonly name: string;
}

/** How the one owner of a deployment without accounts is shown. */
const OWNER: Person = { email: 'owner@localhost', name: LOCAL_OWNER.name };
/** Whose account the deployment does not know, as after its auth plugin was left out. */
const UNKNOWN: Person = { email: '', name: 'unknown' };

/** The people behind user ids. */
export async function namePeople(
  directory: Directory | undefined,
  ids: readonly string[],
): Promise<(id: string) => Person> {
  const known = (await directory?.byIds([...new Set(ids)])) ?? new Map<string, Person>();
  return (id) => {
    const { email, name } = known.get(id) ?? (id === LOCAL_OWNER.userId ? OWNER : UNKNOWN);
    return { email, name };
  };
}

/** The person with that address. Throws NOT_FOUND that says how to have one. */
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
