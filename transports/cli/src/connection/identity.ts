import { EXIT, Failure, isRefusal } from '../failure.js';
import type { Connection, Result } from './connection.js';
import type { Credential } from './credentials.js';
import { foreignService, httpConnection } from './http.js';

const IDENTITY_TIMEOUT_MS = 5_000;
/** The form of an API key: its id may be shown, the rest never. */
const KEY = /^(svc_live_[0-9A-Za-z]{10})[0-9A-Za-z]{38}$/;

/** Whom a service takes the caller for. */
export interface Identity {
  readonly email?: string;
  readonly name?: string;
  readonly workspaces?: readonly Pick<Result<'auth_me'>['workspaces'][number], 'id' | 'name' | 'role'>[];
  /** True where the service asks for no credential, so that none was checked. */
  readonly open: boolean;
}

/**
 * Asks the service whose a credential is. Any credential that it accepts will do, whatever its scopes. Throws a Failure:
 * with the code UNAUTHENTICATED where the service needs one and got none or a wrong one; else it exits 2, since nothing
 * is known of the key.
 */
export async function askIdentity(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): Promise<Identity> {
  const limit = AbortSignal.timeout(IDENTITY_TIMEOUT_MS);
  try {
    return await ask(url, credential, AbortSignal.any([signal, limit]));
  } catch (thrown) {
    if (signal.aborted || isRefusal(thrown, 'UNAUTHENTICATED')) throw thrown;
    if (limit.aborted) {
      throw new Failure(
        `The service at ${url} did not answer within ${IDENTITY_TIMEOUT_MS / 1000} seconds.`,
        {
          exit: EXIT.unreachable,
          next: 'Try again, or give another address with --url or SERVICE_API_URL.',
          cause: thrown,
        },
      );
    }
    throw thrown instanceof Failure ? thrown.with({ exit: EXIT.unreachable }) : thrown;
  }
}

async function ask(url: string, credential: Credential | undefined, signal: AbortSignal): Promise<Identity> {
  const service = httpConnection(url, credential);
  const account = await service.call('auth_me', {}, { signal }).catch(unless('UNKNOWN_TOOL'));
  if (account) {
    const { email, name, workspaces } = account;
    if (typeof email !== 'string' || typeof name !== 'string') throw foreignService(url);
    return { email, name, workspaces: checkedWorkspaces(url, workspaces), open: false };
  }
  // A deployment without this tool keeps no accounts, or does not show them. It accepted the credential, if it checks any.
  const workspaces = await visibleWorkspaces(url, service, signal);
  const listed = await httpConnection(url, undefined).tools('light', signal).catch(unless('UNAUTHENTICATED'));
  return { ...(workspaces && { workspaces }), open: listed !== undefined };
}

/** Up to a hundred; undefined where the deployment has none or the credential may not list them. */
async function visibleWorkspaces(
  url: string,
  service: Connection,
  signal: AbortSignal,
): Promise<Identity['workspaces']> {
  const page = await service
    .call('workspaces_list', { per_page: 100 }, { signal })
    .catch(unless('PERMISSION_DENIED', 'UNKNOWN_TOOL'));
  return page && checkedWorkspaces(url, page.items);
}

/** For `catch`: undefined for a refusal with one of these codes; everything else is rethrown. */
function unless(...codes: readonly string[]): (thrown: unknown) => undefined {
  return (thrown) => {
    if (!isRefusal(thrown, ...codes)) throw thrown;
  };
}

/** What answers may be any server: the parts that are shown are checked. */
function checkedWorkspaces(
  url: string,
  found: NonNullable<Identity['workspaces']>,
): NonNullable<Identity['workspaces']> {
  const isText = (value: unknown) => typeof value === 'string';
  if (Array.isArray(found) && found.every((each) => [each?.id, each?.name, each?.role].every(isText)))
    return found.map(({ id, name, role }) => ({ id, name, role }));
  throw foreignService(url);
}

/** The part of a key that may be shown: its id, as the service shows it; of other texts nothing. */
export function maskedKey(key: string): string {
  return `${KEY.exec(key)?.[1] ?? ''}****`;
}
