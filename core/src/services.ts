import type { RecordEvents } from './change-events.js';
import type { Admission, CallContext, Caller, RateState, Role, Surface } from './caller.js';
import type { ErrorCode, ServiceError } from './errors.js';
import type { Catalog, ToolInfo } from './catalog.js';
import type { Sql } from './database.js';
import type { EventType, Plugin } from './plugin.js';
import { collect, token } from './token.js';
import type { ServedView } from './view.js';

/** The time, so that tests can set it. */
export interface Clock {
  now(): Date;
}
export const Clock = token<Clock>('core.Clock');

/** Checks values that are not arguments of a tool, such as lines of a stream. */
export interface SchemaChecks {
  /** Fills in the defaults. Throws INVALID_ARGUMENT naming the first issue, or a text that no database stores. */
  check(schema: object, value: unknown): void;
}
export const SchemaChecks = token<SchemaChecks>('core.SchemaChecks');

/** Facts about the deployment that plugins may need. */
export interface Deployment {
  readonly name: 'service-mcp';
  readonly version: string;
  /** Absolute folder for data outside SQL; made on first use. */
  readonly dataDir: string;
  /** Files beside which npm packages are looked up, first one first: the deployment file, then where it is opened from. */
  readonly packagesFrom: readonly string[];
  /** True where no plugin authenticates: one local owner calls. */
  readonly singleOwner: boolean;
  /** True where a transport has pages for people, to which `/` leads: the dashboard. */
  readonly hasPages: boolean;
  /** Unique to this life of this process. */
  readonly processId: string;
  /** False in a command that opens the deployment for a moment, beside a service that may have other plugins. */
  readonly isService: boolean;
  /** True where only this machine reaches it: bound to a loopback address, with no proxy and no other address before it. */
  readonly loopback: boolean;
  /** The addresses that clients use. With port 0 they are known once the deployment listens. */
  origins(): Origins;
}

/** Origins as clients write them, without a slash at the end; one address unless the operator split them. */
export interface Origins {
  /** Of the API: `{base_url}`. The issuer of OAuth tokens. */
  readonly base: string;
  /** Of the MCP endpoints: `{mcp_url}`. */
  readonly mcp: string;
  /** Of pages that people see: `{web_url}`. */
  readonly web: string;
}
export const Deployment = token<Deployment>('core.Deployment');

/** Header name to value, lower-cased, as Node gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The input of an authenticator. */
export interface AuthenticationRequest {
  readonly headers: Headers;
  /** The HTTP method: a cookie alone must not change anything from a foreign page. */
  readonly method: string;
  /** Some credentials are valid on one surface alone. */
  readonly surface: Surface;
  /** The IP address of the client, behind trusted proxies too. */
  readonly peer: string;
  /** True for a request that came through an untrusted proxy: the client may have another address than `peer`. */
  readonly forwarded?: boolean;
}

/** Port, filled by an auth plugin: the one place that turns credentials into a Caller. */
export interface Authenticator {
  /**
   * The caller behind the credentials of a request; undefined where there are none. Throws UNAUTHENTICATED for
   * one that is wrong, expired, revoked or not valid on the surface, and for two of different people.
   */
  authenticate(request: AuthenticationRequest): Promise<Caller | undefined>;
  /**
   * The value of `WWW-Authenticate` on the answer to a refusal (UNAUTHENTICATED, or a missing scope). `caller`: who was
   * refused, where known; what their credential may do, a better one may too.
   */
  challenge(surface: Surface, error: ServiceError, caller?: Caller): string;
  /** True if this process verifies JWTs; shown in `/health`. */
  readonly verifiesJwt: boolean;
}
export const Authenticator = token<Authenticator>('core.Authenticator');

export interface Person {
  readonly email: string;
  readonly name: string;
  /** They cannot log in, and what they offered others no longer holds. */
  readonly disabled: boolean;
}

/** Port, filled by an auth plugin: people by id. */
export interface Directory {
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Person>>;
  /** The account with that address, whatever its case. */
  byEmail(
    email: string,
  ): Promise<{ readonly id: string; readonly email: string; readonly name: string } | undefined>;
}
export const Directory = token<Directory>('core.Directory');

/** Port, filled by the workspaces plugin: where a caller is a member, and as what. */
export interface Memberships {
  /** Every workspace the caller may see (already narrowed by a confined credential). */
  of(caller: Caller): Promise<ReadonlyMap<string, Role>>;
  /** The caller's role in one workspace; undefined where there is none or it is invisible. */
  roleIn(caller: Caller, workspaceId: string): Promise<Role | undefined>;
  /** As `of`, with names, ordered by name. */
  named(
    caller: Caller,
  ): Promise<ReadonlyArray<{ readonly id: string; readonly name: string; readonly role: Role }>>;
  /**
   * Makes a user who agreed to it a member, in a change of the caller's own (see `Events.change`), and records
   * member.added. A user who is a member already keeps their role. With `email`, they join as the workspace invites that
   * address now, and `role` does not count: false where it does so no longer.
   */
  join(
    sql: Sql,
    record: RecordEvents,
    membership: {
      readonly workspaceId: string;
      readonly userId: string;
      readonly role: Role;
      readonly email?: string;
    },
  ): Promise<boolean>;
}
export const Memberships = token<Memberships>('core.Memberships');

interface Mistaken {
  readonly workspaceId: string;
  readonly hint: string;
}

/** Says which workspace a resource is in. Each plugin contributes one for each of its resources. */
export interface ResourceOwner {
  /** The word used in `access.in.resource` and in messages: `project`. */
  readonly resource: string;
  /** The tool that lists such ids, for the message of NOT_FOUND. */
  readonly listedBy: string;
  /** Where its rows lie: owners of one table are one, whichever plugins contribute them. */
  readonly table?: string;
  /** Columns of that table: the start refuses a table without them. */
  readonly columns?: readonly string[];
  /** True where removed rows wait in its work queue: the start refuses a table whose queue no service opens. */
  readonly queued?: boolean;
  /** Of `workspace`: the tool that makes one, for the message to a caller who has none. */
  readonly createdBy?: string;
  /** Undefined: there is no such thing. Null: it is the deployment's, and so its administrators' alone. */
  workspaceOf(id: string): Promise<string | null | undefined>;
  /** Of an id that is not of this resource: what it is of, and what to call, for callers who see that workspace. */
  mistakenFor?(id: string): Promise<Mistaken | undefined>;
  /**
   * Completes arguments of prompts and resources that are named `<resource>_id`: ids in these workspaces that begin with
   * a text, or whose name does, at most `limit`. Absent: such arguments have no completion.
   */
  startingWith?(start: string, workspaceIds: readonly string[], limit: number): Promise<readonly string[]>;
}
export const ResourceOwners = collect<ResourceOwner>('core.ResourceOwners');

/** Counts things in fixed windows, in the database, so that every process of the deployment sees the same count. */
export interface RateLimits {
  /**
   * Takes one of the `limit` that `key` has in each window. Units are leased from the database a twentieth of the
   * limit at a time (one by one below 20), so that most calls write nothing; what a process leased and
   * did not use is lost to the others until the window ends.
   */
  take(key: string, rule: { readonly limit: number; readonly windowSeconds: number }): Promise<RateState>;
  /** Resets the counter, as after a successful login. */
  clear(key: string): Promise<void>;
}
export const RateLimits = token<RateLimits>('core.RateLimits');

/** The right to work on something alone, among all processes of the deployment. */
export interface Lease extends AsyncDisposable {
  /**
   * Renews it now. False where it is lost, because this process was paused for longer than a lease lasts and another took
   * it over: to be asked before each write. Work that was under way at that moment must be safe to repeat.
   */
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

/** Leases in the database, each held by one process at most. */
export interface Leases {
  /**
   * Takes the lease of that name, which renews itself until it is released; undefined while it is taken, here or elsewhere.
   * Free is also a lease that was not renewed for 15 s, and at once that of a process of this machine which has died.
   * Hold it for a few seconds of work, so that several processes share what waits.
   */
  take(name: string): Promise<Lease | undefined>;
}
export const Leases = token<Leases>('core.Leases');

/** A performed or refused action, for the audit log. Other arguments than ids are left out: they may hold secrets and content. */
export interface AuditEntry {
  readonly caller: Caller;
  readonly surface: Surface;
  readonly peer: string | undefined;
  readonly requestId: string;
  /** The name of a tool, or of another action, such as `oauth_consent`. */
  readonly action: string;
  /** The workspace of a call that was admitted to one. */
  readonly workspaceId: string | undefined;
  /** Ids and e-mail addresses that the call names: `email=ann@example.org`. Undefined for a call without a credential. */
  readonly target: string | undefined;
  readonly outcome: 'OK' | ErrorCode;
}

/** Port, filled by an auth plugin: the record of writes and denials. */
export interface AuditTrail {
  record(entry: AuditEntry): Promise<void>;
}
export const AuditTrail = token<AuditTrail>('core.AuditTrail');

/** Port, filled by an auth plugin: the first-run setup of a local deployment without accounts. */
export interface FirstRun {
  /**
   * In a deployment without any account: makes the local owner, and an API key with every scope. Undefined otherwise.
   * `link` is good once, for setting a password in a browser.
   */
  prepare(): Promise<{ readonly email: string; readonly key: string; readonly link: string } | undefined>;
  /** The address of the local owner while they have set no password, and so cannot log in; undefined otherwise. */
  unopened(): Promise<string | undefined>;
  /**
   * Where nobody has an account, not even a local owner: the token that the first one needs, which becomes the
   * administrator's. `token` is undefined where the operator set it.
   */
  setup(): Promise<{ readonly token: string | undefined } | undefined>;
}
export const FirstRun = token<FirstRun>('core.FirstRun');

/** The catalog of the enabled plugins, for a tool that calls other tools: each call is admitted as if it came from outside. */
export const LocalCatalog = token<Catalog>('core.LocalCatalog');

/** The admission of the current call; usable from call-scoped services alone. */
export const CallAdmission = token<Admission>('core.CallAdmission');

/** A check of one part of the deployment, shown by `/ready`, `service-mcp doctor` and the summaries of an index. */
export interface HealthCheck {
  readonly name: string;
  /**
   * `failed` makes `/ready` answer 503; `degraded` is shown and served. `thorough`: asked by `doctor`, which can wait for
   * minutes; `/ready` is asked every few seconds.
   */
  check(options?: { readonly thorough?: boolean }): Promise<{
    readonly status: 'ok' | 'degraded' | 'failed';
    readonly message: string;
    readonly remedy?: string;
  }>;
  /** Fixes the problem that `check` found; reports each step as a line. Run by `service-mcp doctor --repair`. */
  repair?(report: (line: string) => void, signal: AbortSignal): Promise<void>;
}
export const HealthChecks = collect<HealthCheck>('core.HealthChecks');

/** The plugins, tools, toolsets and views of this deployment, for plugins that describe them. */
export interface RegistryView {
  /** The tools that the call may see under its surface, selection and scopes. */
  list(call: CallContext): readonly ToolInfo[];
  /** Every tool under the ceiling, whatever a request selects. */
  readonly allowed: ReadonlyArray<{ readonly info: ToolInfo }>;
  /** UTF-8 bytes of a tool in `tools/list` over MCP, as a model reads it; 0 where it is not on that surface. */
  listedBytes(info: ToolInfo): number;
  /**
   * The call with everything selected that a tool which calls others may call for it (see `Toolset.callsOthers`).
   * Read-only mode, scopes, roles and rate limits still apply.
   */
  reach(call: CallContext): CallContext;
  readonly toolsets: ReadonlyArray<{
    readonly id: string;
    readonly plugin: string;
    readonly description: string;
    readonly callsOthers: boolean;
  }>;
  /** True where the deployment serves tools that read alone. */
  readonly readOnly: boolean;
  readonly plugins: ReadonlyArray<Pick<Plugin, 'id' | 'description'>>;
  /** The kinds of change event, core's included. */
  readonly events: ReadonlyArray<Pick<EventType, 'type' | 'description'>>;
  /** Pages of the dashboard. */
  readonly views: readonly ServedView[];
}
export const RegistryView = token<RegistryView>('core.RegistryView');
