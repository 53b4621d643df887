import { ServiceError } from './errors.js';
import type { Line } from './lines.js';
import type { Log } from './log.js';
import type { Selection } from './toolset.js';

/** Roles in a workspace, weakest first; each includes the permissions of those before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function roleAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** The principal of a call, made by the Authenticator from the credential that was sent. */
export interface Caller {
  /**
   * `owner`: works on the deployment itself (the one owner of a deployment without an auth plugin, a command in
   * its process), and owns every workspace. `anonymous`: no credential was sent; only tools open to all can be called.
   */
  readonly kind: 'owner' | 'api_key' | 'session' | 'oauth' | 'jwt' | 'anonymous';
  /** Empty for `anonymous`. */
  readonly userId: string;
  readonly name: string;
  /** `['*']` is every scope. */
  readonly scopes: readonly string[];
  /** Set where the credential is confined to one workspace. */
  readonly workspaceId?: string;
  /** May see and change what belongs to the deployment: accounts, invitations, the audit log. */
  readonly administrator?: boolean;
  /** The record behind the credential: the id of an API key, a session or an OAuth grant. */
  readonly credentialId?: string;
  /** Of an OAuth grant: the application that a person gave it to. */
  readonly clientId?: string;
  /** RFC 3339; when the credential ends, where it does. */
  readonly expiresAt?: string;
}

/** The local owner of a single-owner deployment. The id never changes, so that records keep their author. */
export const LOCAL_OWNER: Caller = {
  kind: 'owner',
  userId: '00000000-0000-7000-8000-000000000001',
  name: 'local owner',
  scopes: ['*'],
  administrator: true,
};

/** A caller without a credential. */
export const ANONYMOUS: Caller = { kind: 'anonymous', userId: '', name: 'anonymous', scopes: [] };

/** Domains that no bundle covers: a credential has their scopes by name or through `*`. */
const UNBUNDLED = new Set(['admin', 'metrics']);

/** Does the caller hold the scope, itself or through `*` or the bundles `mcp:read` and `mcp:write`? */
export function holdsScope(caller: Caller, scope: string): boolean {
  const { scopes } = caller;
  if (scopes.includes('*') || scopes.includes(scope)) return true;
  const [domain = '', verb = ''] = scope.split(':');
  return !UNBUNDLED.has(domain) && scopes.includes(verb === 'read' ? 'mcp:read' : 'mcp:write');
}

/** Refuses a caller without the scope. `what`: what needs it, as `Memory in an export`. Throws PERMISSION_DENIED. */
export function requireScope(caller: Caller, scope: string, what: string): void {
  if (holdsScope(caller, scope)) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    `${what} needs the scope ${scope}. Use a credential that has it.`,
    {
      details: { scope },
    },
  );
}

/** May the caller use a tool or event of this scope? `public` is open to all, `authenticated` to every credential. */
export function mayUse(caller: Caller, scope: string): boolean {
  if (scope === 'public') return true;
  if (caller.kind === 'anonymous') return false;
  return scope === 'authenticated' || holdsScope(caller, scope);
}

/** Our surfaces: `mcp`, `rpc` (JSON-RPC and compatibility routes), `rest`, `cli` (in this process). */
export const SURFACES = ['mcp', 'rpc', 'rest', 'cli'] as const;
/** The surface of a call: a built-in one, or the id of another transport. */
export type Surface = (typeof SURFACES)[number] | (string & {});

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A line for the log that the client shows its user. */
export interface Notice {
  readonly level: 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';
  readonly logger?: string;
  /** A text, or an object of plain data; no secrets. */
  readonly data: unknown;
}

/** Everything a call knows about itself apart from its arguments. Transports build it. */
export interface CallContext {
  readonly caller: Caller;
  readonly surface: Surface;
  readonly requestId: string;
  /** The MCP session that the call belongs to, where the client keeps one. */
  readonly session?: string;
  /** Milliseconds since the epoch at which the call is given up with DEADLINE_EXCEEDED. */
  readonly deadline: number;
  /** Aborted when the client goes away, the deadline passes or the service stops. */
  readonly signal: AbortSignal;
  /**
   * Moves the deadline to so many milliseconds from now, for a wait that is not the tool's; `Infinity` lifts it, for a
   * stream. Absent where there is none.
   */
  readonly prolong?: (ms: number) => void;
  /** Which tools this request asked to see; the ceiling binds besides. */
  readonly selection: Selection;
  /** The client's answers to the questions of an earlier `input_required`, by name, and the state that it sent back. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly answersTo?: string;
  /** Present where the client asked for progress. */
  readonly progress?: (progress: Progress) => void;
  /** Present where the client asked for log messages. */
  readonly notify?: (notice: Notice) => void;
  readonly log: Log;
  /** The IP address of the client; undefined for calls in this process. */
  readonly peer?: string;
  /** Bytes of the HTTP body that the call came in, once it is read; 0 before. The tool may take fewer than its route. */
  readonly bodyBytes?: () => number;
  /**
   * From the header of that name: a repeated creation with the same key is answered with the first one's result. Its handler
   * does not get the key, so that the calls that it makes are not taken for repetitions.
   */
  readonly idempotencyKey?: string | undefined;
  /** The lines that the client sends, for a tool with `http.streams: 'in'`. Present where the transport carries them. */
  readonly lines?: AsyncIterable<Line>;
  /** Sends a line to the client, for a tool with `http.streams: 'out'`; resolves once it can take more. */
  readonly send?: (line: object) => Promise<void>;
  /** Present where the transport counted the call against a rate limit before it read the body. */
  readonly counted?: CountedCall;
  /** Called with remarks besides the result. A transport sends them as headers where it can. */
  readonly remark?: (remark: Remark) => void;
}

/** A call that was counted for a domain and verb (`search:read`), once. */
export interface CountedCall {
  /** True at the first time that it is asked for what was counted: calls that the tool makes count themselves. */
  take(scope: string): boolean;
}

/** A remark that accompanies a result. */
export interface Remark {
  readonly rate?: RateState;
  /** True where the result is that of an earlier call with the same Idempotency-Key. */
  readonly replayed?: boolean;
  /** Whole seconds after which a call that failed may be repeated. */
  readonly retryAfter?: number;
  /** For the audit log: the user that a call without a credential turned out to be. Not sent to the client. */
  readonly caller?: Caller;
}

/** State of a rate limit in its window. */
export interface RateState {
  readonly allowed: boolean;
  /** How many a window allows. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetSeconds: number;
}

/** The scope that a call was admitted to. The only source of a workspace id that a repository may trust. */
export interface Admission {
  readonly caller: Caller;
  /** The role in each admitted workspace: one for a call on a resource, all visible ones for a list. */
  readonly workspaces: ReadonlyMap<string, Role>;
  /** Ids of the admitted workspaces: every query of a repository is confined to them. */
  readonly workspaceIds: readonly string[];
  /** The one workspace of a call on a resource. Throws where the call was not admitted to exactly one. */
  readonly workspaceId: string;
}
