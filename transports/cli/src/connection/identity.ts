import { EXIT, Failure } from '../failure.js';
import type { Credential } from './credentials.js';
import { httpConnection, notOurs } from './http.js';

/** How long the service may take to say whose a key is. */
const WAIT_MS = 5_000;
/** The form of an API key: its id may be shown, the rest never. */
const KEY = /^(svc_live_[0-9A-Za-z]{10})[0-9A-Za-z]{38}$/;

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** Whose calls a service takes them for. */
export interface Identity {
  readonly email?: string;
  readonly name?: string;
  readonly workspaces?: readonly Workspace[];
  /** True where the service asks for no credential, so that none was looked at. */
  readonly open: boolean;
}

/**
 * Asks the service whose calls those with the credential are. Any credential that it takes will do, however few its
 * scopes. Throws a Failure: with the code UNAUTHENTICATED where it takes none or not this one; else it exits 2, since
 * nothing was learnt of the key.
 */
export async function askIdentity(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): Promise<Identity> {
  const limit = AbortSignal.timeout(WAIT_MS);
  const both = AbortSignal.any([signal, limit]);
  try {
    return await ask(url, credential, both);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    if (thrown instanceof Failure && thrown.code === 'UNAUTHENTICATED') throw thrown;
    if (limit.aborted) {
      throw new Failure(`The service at ${url} did not answer within ${WAIT_MS / 1000} seconds.`, {
        exit: EXIT.unreachable,
        next: 'Try again, or give another address with --url or SERVICE_API_URL.',
        cause: thrown,
      });
    }
    if (!(thrown instanceof Failure)) throw thrown;
    const { message, code, next } = thrown;
    throw new Failure(message, { exit: EXIT.unreachable, code, next, cause: thrown });
  }
}

async function ask(url: string, credential: Credential | undefined, signal: AbortSignal): Promise<Identity> {
  const service = httpConnection(url, credential);
  const account = await service.call('auth_me', {}, { signal }).catch(orUnknownTool);
  if (account) {
    const { email, name, workspaces } = account;
    if (typeof email !== 'string' || typeof name !== 'string' || !isWorkspaces(workspaces))
      throw notOurs(url);
    return { email, name, workspaces, open: false };
  }
  // The deployment has no such tool: it keeps no accounts, or does not show them. The credential was taken, if looked at.
  const workspaces = await visibleWorkspaces(url, credential, signal);
  const open = await httpConnection(url, undefined)
    .tools('light', signal)
    .then(() => true, refusedAs('UNAUTHENTICATED'));
  return { ...(workspaces && { workspaces }), open };
}

/** Up to a hundred; undefined where the deployment has none or the credential may not list them. */
async function visibleWorkspaces(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
): Promise<readonly Workspace[] | undefined> {
  const page = await httpConnection(url, credential)
    .call('workspaces_list', { per_page: 100 }, { signal })
    .catch((thrown: unknown) => {
      if (thrown instanceof Failure && thrown.code === 'PERMISSION_DENIED') return undefined;
      return orUnknownTool(thrown);
    });
  if (page === undefined) return undefined;
  const { items } = page;
  if (!isWorkspaces(items)) throw notOurs(url);
  return items.map(({ id, name, role }) => ({ id, name, role }));
}

function orUnknownTool(thrown: unknown): undefined {
  if (thrown instanceof Failure && thrown.code === 'UNKNOWN_TOOL') return undefined;
  throw thrown;
}

/** For the second argument of `then`: false for a refusal of that code, everything else rethrown. */
function refusedAs(code: string): (thrown: unknown) => boolean {
  return (thrown) => {
    if (thrown instanceof Failure && thrown.code === code) return false;
    throw thrown;
  };
}

function isWorkspaces(value: unknown): value is readonly Workspace[] {
  return (
    Array.isArray(value) &&
    value.every((item: Partial<Workspace> | null) =>
      [item?.id, item?.name, item?.role].every((part) => typeof part === 'string'),
    )
  );
}

/** What of a key may be shown: as the service shows it, and nothing of what is no key of that form. */
export function maskedKey(key: string): string {
  return `${KEY.exec(key)?.[1] ?? ''}****`;
}
