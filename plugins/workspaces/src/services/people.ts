import { LOCAL_OWNER, ServiceError, normalEmail, type Directory } from '@service-mcp/core';

export interface Person {
  readonly email: string;
  readonly name: string;
}

/** The local owner of a deployment without accounts. */
const OWNER: Person = { email: 'owner@localhost', name: LOCAL_OWNER.name };
/** A user without an account in this deployment, for example after its auth plugin was disabled. */
const UNKNOWN: Person = { email: '', name: 'unknown' };

/** Rows with the address and name of their user. A pending row has an address alone. */
export async function withPeople<
  Row extends { readonly user_id: string | null; readonly email: string | null },
>(directory: Directory | undefined, rows: readonly Row[]): Promise<Array<Omit<Row, 'email'> & Person>> {
  const ids = new Set(rows.flatMap(({ user_id }) => user_id ?? []));
  const known = (await directory?.byIds([...ids])) ?? new Map<string, Person>();
  return rows.map((row) => {
    if (row.user_id === null) return { ...row, email: row.email ?? '', name: '' };
    const isOwner = row.user_id === LOCAL_OWNER.userId;
    const { email, name } = known.get(row.user_id) ?? (isOwner ? OWNER : UNKNOWN);
    return { ...row, email, name };
  });
}

/** An address in its canonical form, with the id of its account where it has one. Throws NOT_FOUND where nobody can have one. */
export async function findPerson(
  directory: Directory | undefined,
  given: string,
): Promise<{ readonly email: string; readonly userId: string | undefined }> {
  const email = normalEmail(given);
  if (directory) return { email, userId: (await directory.byEmail(email))?.id };
  if (email === OWNER.email) return { email, userId: LOCAL_OWNER.userId };
  throw new ServiceError(
    'NOT_FOUND',
    'This deployment has one local owner and keeps no accounts. Enable the auth plugin to add people.',
  );
}
