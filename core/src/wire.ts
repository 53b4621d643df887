/**
 * How tools, results and failures read in MCP's words: what every transport that speaks JSON-RPC shares.
 * Pure mappings, plus the sessions that such transports hand out.
 */
import type { ToolInfo, ToolResult } from './catalog.js';
import type { ContentBlock } from './content.js';
import { ERRORS, ServiceError, type ErrorBody, type Issue } from './errors.js';
import { BODY_LIMIT, type Effect, type JsonSchema } from './tool.js';

/** The revisions of MCP that open with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The version that answers `initialize`: the one asked for where it is known, else the newest. */
export function negotiateVersion(requested: unknown): string {
  return HANDSHAKE_VERSIONS.find((version) => version === requested) ?? HANDSHAKE_VERSIONS[0];
}

/** The hints of MCP. All are always sent: a client's defaults for missing ones assume the worst. */
type Hints = Readonly<Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint', boolean>>;

const HINTS: Record<Effect, Hints> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** One entry of `tools/list`. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Hints & { readonly title: string; readonly openWorldHint: boolean };
}

const entries = new WeakMap<ToolInfo, ToolEntry>();

/** A tool as `tools/list` shows it. The same info gives the same object. */
export function toolEntry(info: ToolInfo): ToolEntry {
  let entry = entries.get(info);
  if (!entry) {
    const { name, title, description, inputSchema, outputSchema, effect, openWorld } = info;
    const annotations = { title, ...HINTS[effect], openWorldHint: openWorld };
    entry = { name, title, description, inputSchema, outputSchema, annotations };
    entries.set(info, entry);
  }
  return entry;
}

/** A finished tool call: the data as `structuredContent` and, whole, as compact JSON text (clients read one or the other). */
export interface WireResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly isError: false;
}

/** Throws UNAVAILABLE where the tool asks the person a question, which these transports cannot pass on. */
export function completeResult(result: ToolResult): WireResult {
  if (result.kind === 'input_required') {
    const questions = result.requests.map((request) => `${request.name}: ${request.message}`).join('; ');
    throw new ServiceError(
      'UNAVAILABLE',
      `The tool needs an answer that cannot be asked for over this connection (${questions}). Ask the person and pass it as an argument, where the tool has one for it.`,
    );
  }
  const text: ContentBlock = { type: 'text', text: JSON.stringify(result.structured) };
  return {
    content: result.content ? [text, ...result.content] : [text],
    structuredContent: result.structured,
    isError: false,
  };
}

/** The key of an MCP result's `_meta` that carries the error, so that a gateway can give the same code on. */
export const ERROR_META = 'service-mcp/error';

export interface WireErrorResult {
  readonly content: readonly ContentBlock[];
  readonly isError: true;
  readonly _meta: { readonly [ERROR_META]: ErrorBody };
}

/** A failure as a tool result with `isError`; no `structuredContent`, which clients would validate even here. */
export function errorResult(error: ServiceError): WireErrorResult {
  const lines = [`${error.code}: ${error.message}`];
  const issues = issuesOf(error);
  if (issues.length > 1) lines.push(...issues.map(({ path, message }) => `- ${path || '/'}: ${message}`));
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META]: error.body },
  };
}

function issuesOf(error: ServiceError): readonly Issue[] {
  const issues = error.details?.['issues'];
  return Array.isArray(issues) ? (issues as readonly Issue[]) : [];
}

/** The `error` member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> };
}

export function rpcError(error: ServiceError): RpcError {
  const { code, message, details } = error;
  return { code: ERRORS[code].rpc, message, data: { code, ...(details && { details }) } };
}

export type RpcId = string | number | null;

/** A failed JSON-RPC response; `id` is null where the request's could not be read. */
export function rpcFailure(error: ServiceError, id: RpcId = null): object {
  return { jsonrpc: '2.0', id, error: rpcError(error) };
}

/** How deep a message may nest: far above any schema of ours, far below what overflows a stack. */
export const MAX_DEPTH = 128;

/** One JSON-RPC message that is a request or a notification. */
export interface RpcMessage {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** `undefined`: a notification. */
  readonly id: RpcId | undefined;
}

/**
 * Reads a body as one JSON-RPC request or notification. Throws PARSE_ERROR where there is none and
 * INVALID_REQUEST for a batch, a wrong shape, or a nesting deeper than {@link MAX_DEPTH}.
 */
export function readRpc(body: unknown): RpcMessage {
  if (body === undefined)
    throw new ServiceError('PARSE_ERROR', 'The body is empty: send one JSON-RPC object.');
  if (Array.isArray(body)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'Batches are not served: send each JSON-RPC object as a request of its own.',
    );
  }
  if (!isRecord(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') {
    throw new ServiceError(
      'INVALID_REQUEST',
      'Send one JSON-RPC 2.0 object with jsonrpc "2.0", id, method and params.',
    );
  }
  const { id, method, params = {} } = body;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw new ServiceError('INVALID_REQUEST', 'id must be a string or an integer.');
  }
  if (!isRecord(params)) throw new ServiceError('INVALID_REQUEST', 'params must be an object.');
  if (isDeeperThan(params, MAX_DEPTH)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      `params nest deeper than ${MAX_DEPTH} levels: send a flatter object.`,
    );
  }
  return { method, params, id };
}

/** The id to answer a broken request with: its own where that is a string or a number. */
export function idOf(body: unknown): RpcId {
  const id = isRecord(body) ? body['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without recursion, since it guards those that recurse. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item))
        if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/** What a gateway accepts: its tools, and so their limits, are those of the service behind it (16 MiB on ingest). */
const UPSTREAM_BODY_LIMIT = 16 * 1024 * 1024;

/** The largest body, in bytes, that one of these tools takes. `declared` is empty for an upstream catalog. */
export function largestBody(declared: readonly ToolInfo[]): number {
  if (declared.length === 0) return UPSTREAM_BODY_LIMIT;
  return Math.max(BODY_LIMIT, ...declared.map((tool) => tool.http?.bodyLimit ?? BODY_LIMIT));
}

/** The order of work, in a few lines for a model; names only tools that the caller sees. */
export function instructionsFor(tools: readonly { readonly name: string }[]): string {
  const seen = new Set(tools.map((tool) => tool.name));
  const steps = STEPS.filter(([name]) => seen.has(name)).map(([, step]) => step);
  return ["This service keeps a team's content and memory in workspaces and searches them.", ...steps].join(
    ' ',
  );
}

const STEPS: readonly (readonly [tool: string, step: string])[] = [
  ['help', 'Call help when unsure what is there.'],
  ['workspaces_list', 'Take ids from workspaces_list, never from a display name.'],
  ['search_hybrid', 'Find with search_hybrid.'],
  ['files_read', 'Open what it names with files_read.'],
];

/** What is kept of an MCP session: no server, no stream, so that thousands cost little. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly protocolVersion: string;
}

/** The sessions that `initialize` opens. A later store may keep them in the database behind the same three methods. */
export interface Sessions {
  open(userId: string, protocolVersion: string): Promise<Session>;
  /** Throws UNKNOWN_SESSION where there is none, it was idle too long, or it belongs to another principal. */
  get(id: string, userId: string): Promise<Session>;
  close(id: string, userId: string): Promise<void>;
}

/** Sessions of this process. Beyond `limit`, the one that was idle longest gives way; after `idleMs` each one ends. */
export function sessionsInMemory(options: { limit: number; idleMs: number; now?: () => number }): Sessions {
  const { limit, idleMs, now = Date.now } = options;
  const rows = new Map<string, Session & { usedAt: number }>(); // in order of last use
  const prune = (): void => {
    for (const [id, row] of rows) {
      if (rows.size <= limit && now() - row.usedAt <= idleMs) return;
      rows.delete(id);
    }
  };
  const find = (id: string, userId: string) => {
    const row = rows.get(id);
    if (row && row.userId === userId && now() - row.usedAt <= idleMs) return row;
    throw new ServiceError(
      'UNKNOWN_SESSION',
      'This session is unknown or has ended: send initialize again for a new one.',
    );
  };
  return {
    async open(userId, protocolVersion) {
      const row = { id: crypto.randomUUID(), userId, protocolVersion, usedAt: now() };
      rows.set(row.id, row);
      prune();
      return row;
    },
    async get(id, userId) {
      const row = find(id, userId);
      row.usedAt = now();
      rows.delete(id);
      rows.set(id, row);
      return row;
    },
    async close(id, userId) {
      rows.delete(find(id, userId).id);
    },
  };
}

/** Calls in flight, by session and request id, so that `notifications/cancelled` finds the one it means. */
export class Cancellations {
  readonly #running = new Map<string, AbortController>();

  /** Runs `work` with a signal that aborts with `signal` or on {@link cancel}. Without a session nothing can name the call. */
  async run<T>(
    session: string | undefined,
    id: RpcId | undefined,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (session === undefined || id === undefined || id === null) return work(signal);
    const key = keyOf(session, id);
    const controller = new AbortController();
    this.#running.set(key, controller);
    try {
      return await work(AbortSignal.any([signal, controller.signal]));
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key);
    }
  }

  cancel(session: string, id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(keyOf(session, id))?.abort();
  }
}

function keyOf(session: string, id: string | number): string {
  return `${session} ${typeof id} ${id}`; // 1 and "1" are two ids
}
