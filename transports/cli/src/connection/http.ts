import { commandName } from '../command.js';
import { EXIT, Failure, isTransient, issuesOf, systemCode } from '../failure.js';
import { toolEntry, type CallOptions, type Connection, type WireTool } from './connection.js';
import { isThisMachine } from './address.js';
import { whereKeysAre, type Credential } from './credentials.js';
import { keptKeysFile } from './kept-keys.js';
import { parseRetryAfter, withRetries } from './retry.js';

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | null;
}

/** Tools over the compatibility routes of a running service (interface.md 4.4). */
export function httpConnection(url: string, credential: Credential | undefined): Connection {
  const request = async (
    path: string,
    options: { signal: AbortSignal; args?: object; toolset: string },
  ): Promise<unknown> => {
    const reply = await send(`${url}${path}`, {
      signal: options.signal,
      method: options.args === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'x-service-toolset': options.toolset,
        ...(credential && { 'x-service-api-key': credential.key }),
        ...(options.args !== undefined && { 'content-type': 'application/json' }),
      },
      ...(options.args !== undefined && { body: JSON.stringify(options.args) }),
    });
    if (reply.status >= 200 && reply.status < 300) return reply.body;
    throw refusal(url, reply, credential);
  };

  return {
    where: url,
    url,
    async tools(toolset, signal) {
      const list = () => request('/api/v1/tools/list', { signal, toolset });
      const body = (await withRetries(list, { signal })) as { tools?: WireTool[] } | null | undefined;
      if (!Array.isArray(body?.tools)) throw notOurs(url);
      return body.tools.map(toolEntry);
    },
    async call(name, args, options: CallOptions) {
      const { signal } = options;
      const once = () =>
        request(`/api/v1/tools/${encodeURIComponent(name)}`, { signal, args, toolset: 'complete' });
      const body = await (options.repeatable ? withRetries(once, options) : once());
      const structured = (body as { structuredContent?: unknown } | null | undefined)?.structuredContent;
      if (typeof structured !== 'object' || structured === null) throw notOurs(url);
      return structured as Record<string, unknown>;
    },
    close: () => Promise.resolve(),
  };
}

/** Does the service answer at this address? False where nothing listens or something else does. */
export async function answersAt(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(2_000)]);
    const response = await fetch(`${url}/api/v1/health`, { signal: limit });
    const body = (await response.json()) as { server?: unknown };
    return response.ok && body.server === 'service-mcp';
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function send(address: string, init: RequestInit): Promise<Reply> {
  try {
    // A redirect would carry the key to an address that it does not belong to.
    const response = await fetch(address, { ...init, redirect: 'manual' });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parse(text) };
  } catch (thrown) {
    if (init.signal?.aborted) throw new Failure('Stopped.', { cause: thrown });
    throw lost(new URL(address).origin, thrown);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The connection broke before an answer: refused, reset, timed out, unknown host. */
function lost(origin: string, cause: unknown): Failure {
  const code = systemCode(cause);
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there',
    ENOTFOUND: 'the host name is unknown',
    EAI_AGAIN: 'the host name could not be looked up',
    ECONNRESET: 'the connection was reset',
    UND_ERR_SOCKET: 'the connection was closed',
  };
  const reason =
    reasons[code ?? ''] ?? (code === undefined ? 'the request failed' : `the request failed (${code})`);
  return new Failure(`The service at ${origin} cannot be reached: ${reason}.`, {
    exit: EXIT.unreachable,
    next: `Start it with: ${commandName()} serve   (or give another address with --url or SERVICE_API_URL)`,
    transient: code !== 'ENOTFOUND',
    cause,
  });
}

/** For what answers and does not speak as the service does. */
export function notOurs(url: string): Failure {
  return new Failure(`What answers at ${url} is not this service.`, {
    exit: EXIT.unreachable,
    next: 'Give the address of the service with --url or SERVICE_API_URL.',
  });
}

/** What the service refused, in its own words. */
function refusal(url: string, reply: Reply, credential: Credential | undefined): Failure {
  const { error } = (reply.body ?? {}) as {
    error?: { code?: unknown; message?: unknown; details?: unknown };
  };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    // 502, 503 and 504 without a body of ours come from a proxy in front of a service that is starting.
    if (reply.status >= 300 && reply.status < 400) {
      return new Failure(`What answers at ${url} sends elsewhere (HTTP ${reply.status}).`, {
        exit: EXIT.unreachable,
        next: 'Give the address of the service itself with --url or SERVICE_API_URL.',
      });
    }
    if (![502, 503, 504].includes(reply.status)) return notOurs(url);
    return new Failure(`The service at ${url} is not ready (HTTP ${reply.status}).`, {
      exit: EXIT.unreachable,
      transient: true,
      retryAfterMs: parseRetryAfter(reply.retryAfter),
    });
  }
  return new Failure(error.message, {
    code: error.code,
    issues: issuesOf(error.details),
    next: remedy(url, reply.status, error.details, credential),
    transient: isTransient(error.code),
    retryAfterMs: parseRetryAfter(reply.retryAfter),
  });
}

/** What to do about a key that is missing, wrong or too narrow. Who owns the service's machine needs none to make one. */
export function remedy(
  url: string,
  status: number,
  details: unknown,
  credential: Credential | undefined,
): string | undefined {
  const scope = (details as { scope?: unknown } | undefined)?.scope;
  if (status === 403 && typeof scope === 'string' && credential) {
    const make = `${commandName()} keys create NAME --scope ${scope} --account EMAIL`;
    return `The key is from ${credential.source}. On the service's machine, make one that may: ${make}`;
  }
  if (status !== 401) return undefined;
  if (credential && (details as { account?: unknown } | undefined)?.account === 'disabled')
    return `The key is from ${credential.source}. On the service's machine: ${commandName()} accounts enable EMAIL`;
  const command = `${commandName()} keys create NAME --account EMAIL`;
  // A key that was given goes before the kept ones: one that is kept would not be found.
  const isGiven = credential !== undefined && credential.source !== keptKeysFile(process.env);
  const own = `${commandName()} keys create cli${isGiven ? '' : ' --save'}${credential && !isGiven ? ' --replace' : ''} --account`;
  const make = !isThisMachine(url)
    ? `Make one on the service's machine: ${command}`
    : isGiven
      ? `Make one and give it there: ${own}`
      : `Make one: ${own} --url ${url}`;
  if (credential) return `The key is from ${credential.source}. ${make}`;
  return `No key for ${url} is in ${whereKeysAre(process.env)}. ${make}`;
}
