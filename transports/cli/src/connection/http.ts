import { type ToolEntry, isRecord, readJsonText, systemCode, timeLimit } from '@service-mcp/core/wire';
import { retryAfter } from '../codegen/client/wire.js';
import { EXIT, Failure, refusal } from '../failure.js';
import type { JsonObject } from '../json.js';
import { urlFlag } from './address.js';
import type { CallOptions, Connection, Result } from './connection.js';
import type { Credential } from './credentials.js';
import { LINE_ROUTES, cutOff, passOn } from './lines.js';
import { keyRemedy, startHint, type KeyReach } from './remedy.js';
import { repeated } from './retry.js';
import { foreignService, unconnected, unreachable } from './unreachable.js';

/** How long a service may take to say that it is there. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * Calls tools over the compatibility routes of a running service (interface.md 4.4), until `signal` aborts. `onRetry` hears
 * of every failure after which a call is tried again, unless the call has its own.
 */
export function httpConnection(
  url: string,
  credential: Credential | undefined,
  signal: AbortSignal,
  onRetry?: CallOptions['onRetry'],
): Connection {
  const key = credential && { 'x-service-api-key': credential.key };
  const late = (why: string, thrown: unknown) => unreachable(url, why, thrown);
  const request = async (
    path: string,
    toolset: string,
    init: RequestInit,
    answered?: () => void,
  ): Promise<JsonObject> => {
    const headers = {
      accept: 'application/json',
      'x-service-toolset': toolset,
      ...(init.body && { 'content-type': 'application/json' }),
      ...key,
    };
    const response = await send(`${url}${path}`, { signal, headers, ...init }, answered);
    if (response.status < 200 || response.status > 299)
      throw await refused(url, response, credential, signal);
    if (isRecord(response.body)) return response.body;
    throw foreignService(url);
  };

  const finish = (name: string, body: string, until: AbortSignal, answered?: () => void) => {
    const init = { signal: until, method: 'POST', body };
    return request(`/api/v1/tools/${encodeURIComponent(name)}`, 'complete', init, answered);
  };

  return {
    where: url,
    url,
    target: urlFlag(url),
    async tools(toolset, { repeatable = true } = {}) {
      const once = (until: AbortSignal, answered?: () => void) =>
        request('/api/v1/tools/list', toolset, { signal: until }, answered);
      const { tools } = await (repeatable ? repeated(once, { signal, onRetry, late }) : once(signal));
      if (Array.isArray(tools)) return tools as readonly ToolEntry[]; // as every surface sends them
      throw foreignService(url);
    },
    async call<Name extends string>(name: Name, args: object, options: CallOptions = {}) {
      const body = JSON.stringify(args);
      const sent = { signal, onRetry, late, bytes: Buffer.byteLength(body), ...options };
      const once = (until: AbortSignal, answered?: () => void) => finish(name, body, until, answered);
      const { structuredContent } = await (options.repeatable ? repeated(once, sent) : once(sent.signal));
      if (isRecord(structuredContent)) return structuredContent as Result<Name>; // the service declares its schema
      throw foreignService(url);
    },
    async read(name, args) {
      const { content } = await finish(name, JSON.stringify(args), signal);
      const [first] = Array.isArray(content) ? (content as readonly unknown[]) : [];
      if (isRecord(first) && typeof first['text'] === 'string') return first['text'];
      throw foreignService(url);
    },
    async upload(name, args, lines) {
      const headers = { ...key, 'content-type': 'application/x-ndjson' };
      let unread: unknown;
      async function* body() {
        try {
          yield* lines;
        } catch (thrown) {
          unread = thrown;
          throw thrown;
        }
      }
      const { method } = LINE_ROUTES[name];
      const init = { method, headers, body: body(), duplex: 'half', signal } as const;
      const reply = await send(lineAddress(url, name, args), init).catch((thrown: unknown) => {
        throw unread ?? thrown; // that the lines end is not the fault of the service
      });
      if (reply.status !== 200) throw await refused(url, reply, credential, signal);
      const { data } = isRecord(reply.body) ? reply.body : {};
      if (isRecord(data)) return data as Result<typeof name>; // the service declares its schema
      throw foreignService(url);
    },
    async download(name, args, write) {
      const init = { headers: { ...key }, signal };
      const response = await open(lineAddress(url, name, args), init);
      if (response.status !== 200 || !response.body)
        throw await refused(url, await replyOf(response), credential, signal);
      try {
        return await passOn(response.body, write);
      } catch (thrown) {
        if (thrown instanceof Failure) throw thrown;
        if (signal.aborted) throw new Failure('Stopped.', { cause: thrown });
        throw systemCode(thrown)?.startsWith('UND_ERR') || thrown instanceof TypeError
          ? cutOff(thrown)
          : thrown;
      }
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Why no service answers at this address, with what to do; undefined where one does. */
export async function serviceFault(url: string, signal: AbortSignal): Promise<Failure | undefined> {
  const limit = timeLimit(PROBE_TIMEOUT_MS, signal);
  try {
    const reply = await send(`${url}/api/v1/health`, { signal: limit });
    if (reply.status !== 200) return await refused(url, reply, undefined, signal);
    return isRecord(reply.body) && reply.body['server'] === 'service-mcp' ? undefined : foreignService(url);
  } catch (thrown) {
    signal.throwIfAborted();
    if (limit.aborted)
      return unreachable(
        url,
        `it did not answer within ${PROBE_TIMEOUT_MS / 1000} s`,
        thrown,
        `Try again: a busy service answers later. None runs there? ${startHint(url)}`,
      );
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
}

interface Check {
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly message: string;
  readonly remedy?: string;
}

interface Readiness {
  readonly checks: readonly Check[];
  /** Id of the service's database; a gateway shows none. */
  readonly installation?: string;
}

/** The answer of `/ready`; without checks where there is none. */
export async function readiness(url: string, signal: AbortSignal): Promise<Readiness> {
  try {
    const response = await fetch(`${url}/ready`, {
      signal: timeLimit(5_000, signal),
    });
    return { checks: [], ...((await response.json()) as Partial<Readiness>) }; // core declares it
  } catch {
    signal.throwIfAborted();
    return { checks: [] };
  }
}

interface Reply {
  readonly status: number;
  readonly location: string | null;
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}

/** Undefined arguments are left out. */
function lineAddress(url: string, name: keyof typeof LINE_ROUTES, args: object): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return `${url}${LINE_ROUTES[name].path}?${new URLSearchParams(given).toString()}`;
}

/** Calls `answered` when the answer begins. */
async function send(address: string, init: RequestInit, answered?: () => void): Promise<Reply> {
  const response = await open(address, init);
  answered?.();
  return replyOf(response, init.signal);
}

async function replyOf(response: Response, signal?: AbortSignal | null): Promise<Reply> {
  try {
    const retryAfterMs = retryAfter(response.headers.get('retry-after'));
    const location = response.headers.get('location');
    return { status: response.status, location, retryAfterMs, body: readJsonText(await response.text()) };
  } catch (thrown) {
    if (signal?.aborted) throw new Failure('Stopped.', { cause: thrown });
    throw unconnected(new URL(response.url).origin, thrown);
  }
}

async function open(address: string, init: RequestInit): Promise<Response> {
  try {
    // A redirect would carry the key to an address that it does not belong to.
    return await fetch(address, { ...init, redirect: 'manual' });
  } catch (thrown) {
    if (init.signal?.aborted) throw new Failure('Stopped.', { cause: thrown });
    throw unconnected(new URL(address).origin, thrown);
  }
}

/** What the key may do and where; nothing where the service does not tell. */
async function reachOf(url: string, { key }: Credential, signal: AbortSignal): Promise<KeyReach> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: '{}', signal };
  const { body } = await send(`${url}/api/v1/tools/auth_me`, asked).catch(() => ({ body: undefined }));
  const account = isRecord(body) && isRecord(body['structuredContent']) ? body['structuredContent'] : {};
  const { scopes, workspace_id: workspace } = isRecord(account['credential']) ? account['credential'] : {};
  return {
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
    ...(typeof workspace === 'string' && { workspaceId: workspace }),
  };
}

/** A refusal, in the service's own words where they are its own. */
async function refused(
  url: string,
  reply: Reply,
  credential: Credential | undefined,
  signal: AbortSignal,
): Promise<Failure> {
  const { status, retryAfterMs } = reply;
  const error = isRecord(reply.body) && isRecord(reply.body['error']) ? reply.body['error'] : {};
  const { code, message, details } = error;
  if (typeof code === 'string' && typeof message === 'string') {
    const held = status === 403 && credential ? await reachOf(url, credential, signal) : undefined;
    return refusal(code, message, details, {
      next: keyRemedy(url, status, details, credential, held),
      retryAfterMs,
    });
  }
  if (status >= 300 && status < 400) {
    const location = reply.location ?? '';
    const target = URL.canParse(location, url) ? new URL(location, url).origin : 'elsewhere';
    return new Failure(`The server at ${url} redirects to ${target} (HTTP ${status}).`, {
      exit: EXIT.unreachable,
      next: 'Give the address of the service itself with --url or SERVICE_API_URL.',
    });
  }
  // 502, 503 and 504 without a body of ours come from a proxy in front of a service that is starting.
  if (![502, 503, 504].includes(status)) return foreignService(url);
  return new Failure(`The service at ${url} is not ready (HTTP ${status}).`, {
    exit: EXIT.unreachable,
    transient: true,
    retryAfterMs,
  });
}
