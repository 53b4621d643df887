import { untilAborted } from '../abort.js';
import { abortReason } from './abort-reason.js';
import { auditTarget } from './audit-target.js';
import { amendCall } from '../call.js';
import type { CallContext, Caller, Remark } from '../caller.js';
import type { ToolResult } from '../catalog.js';
import { isContent, isInputRequired, type FinishedCall, type InnerCall } from '../content.js';
import { ServiceError, bodyTooLarge, remarkRetry, toServiceError } from '../errors.js';
import type { AdmittedCall, Streams } from '../tool.js';
import type { AuditEntry, AuditTrail } from '../services.js';
import type { Admissions } from './admission.js';
import type { LimitCall } from './call-limits.js';
import type { PluginWork, Work } from './plugin-work.js';
import type { ObserveCall } from './call-metrics.js';
import type { Container } from './container.js';
import { copyArguments } from './copy-arguments.js';
import { digestOf, type Idempotency } from './idempotency.js';
import type { RegisteredTool, Registry } from '../boot/registry.js';
import { schemaHint } from '../storage/migrate.js';
import { isOutage } from '../storage/outages.js';
import { invalid, refuseUnstorable, type Validators } from './validate.js';

interface InvokeHost {
  readonly registry: Registry;
  readonly validators: Validators;
  readonly container: Container;
  readonly admissions: Admissions;
  readonly limit: LimitCall;
  readonly work: PluginWork;
  readonly idempotency: Idempotency;
  /** Gives up space where the disk is known to be full, so that deleting works. */
  readonly makeRoom: () => Promise<void>;
  readonly audit: AuditTrail | undefined;
  readonly observe: readonly ObserveCall[];
}

type Handler = (input: unknown, deps: unknown, call: AdmittedCall) => Promise<unknown>;
type Text = (output: unknown, input: unknown) => string;

/**
 * The one way of a call, and the only place that admits or refuses one: surface, toolset and scope;
 * rate; arguments; workspace and role; the handler under its deadline, once for an Idempotency-Key; the output; the
 * audit log. Throws ServiceError alone.
 */
export function createInvoke(host: InvokeHost) {
  const works = new Map<RegisteredTool, Work>();
  const depsOnce = new Map<RegisteredTool, Readonly<Record<string, unknown>>>();

  async function run(
    found: RegisteredTool,
    args: unknown,
    call: CallContext,
    seen: Seen,
  ): Promise<ToolResult> {
    const { tool } = found;
    const bodyLimit = tool.http?.bodyLimit ?? Infinity; // a meta tool has none: the tool that it calls has
    if (call.bodyBytes && call.bodyBytes() > bodyLimit) throw bodyTooLarge(bodyLimit);
    const input = copyArguments(args, tool.inputSchema);
    const streams = tool.http?.streams;
    refuseWithoutLines(tool.name, streams, call);
    // The key of a stream says nothing: its lines are not compared.
    const repeatable =
      call.idempotencyKey !== undefined && tool.effect === 'create' && !tool.secretResult && !streams;
    refuseUnstorable(tool.rawText.length > 0 ? without(input, tool.rawText) : input);
    const sent = repeatable ? digestOf(without(input, ['workspace_id'])) : ''; // before defaults are added
    const issues = host.validators.issues(tool.inputSchema, input);
    if (tool.access.in === 'workspace')
      issues.push(...(await host.admissions.fillWorkspace(input, call, issues)));
    if (issues.length > 0) throw invalid(issues);
    // Arguments without a workspace mean another one for another credential.
    const request = repeatable ? digestOf([sent, input['workspace_id']]) : '';
    // What an unknown caller typed as an address may be a password.
    if (call.caller.kind !== 'anonymous') seen.input = input;
    const takesWorkspace = Object.hasOwn(tool.inputSchema['properties'] ?? {}, 'workspace_id');
    const admission = await host.admissions.admit(tool.access, tool.effect, input, call, takesWorkspace);
    if (admission.workspaces.size === 1) [seen.workspaceId] = admission.workspaces.keys();
    const known =
      call.caller.kind === 'anonymous' ? { admission, remark: hearing(call, seen) } : { admission };
    // The key is this call's: one that the handler makes is not a repetition of it.
    const admitted = amendCall(
      call,
      tool.effect === 'create' ? { ...known, idempotencyKey: undefined } : known,
    );
    const once = () => handle(found, input, admitted);
    const work = tool.effect === 'delete' ? () => withRoom(host.makeRoom, once) : once;
    if (call.deadline <= Date.now()) throw overBefore();
    // The key stores the handler's result, even when the caller no longer waits.
    const outcome = repeatable
      ? host.idempotency.once({ tool: tool.name, request, workspaceId: seen.workspaceId }, call, work)
      : work();
    const result = await untilAborted(outcome, call);
    const text = tool.text as Text | undefined; // erasure: defineTool typed it
    // Not before: a result that is kept under a key is JSON.
    if (result.kind !== 'complete') return result;
    const finished = { ...result, tool: found.info };
    return text && !result.text ? { ...finished, text: (structured) => text(structured, input) } : finished;
  }

  async function handle(found: RegisteredTool, input: object, call: AdmittedCall): Promise<ToolResult> {
    const { tool } = found;
    let deps = depsOnce.get(found);
    if (!deps) {
      if (host.container.needsCall(tool.uses))
        deps = host.container.resolveForCall(tool.uses, found.info.plugin, call.admission);
      else depsOnce.set(found, (deps = host.container.resolve(tool.uses, found.info.plugin)));
    }
    const handler = tool.handler as Handler; // erasure: input and deps were typed by defineTool
    let work = works.get(found);
    if (!work) {
      work = { name: `plugin ${found.info.plugin}, tool ${tool.name}`, active: 0 };
      works.set(found, work);
    }
    host.work.begin(work);
    try {
      return present(found, await handler(input, deps, call), call);
    } finally {
      host.work.end(work);
    }
  }

  function present({ tool }: RegisteredTool, returned: unknown, { requestId }: CallContext): ToolResult {
    if (isInputRequired(returned)) {
      const { requests, state, instead } = returned;
      return { kind: 'input_required', requests, state, ...(instead !== undefined && { instead }) };
    }
    const value = isContent(returned) ? returned.value : returned;
    const issues = host.validators.issues(tool.outputSchema, value);
    if (issues.length > 0) {
      throw toServiceError(
        new Error(`tool ${tool.name} returned what its output schema refuses: ${JSON.stringify(issues)}`),
        requestId,
      );
    }
    const structured = value as Record<string, unknown>; // checked by the schema, which is an object's
    if (!isContent(returned)) return { kind: 'complete', structured };
    const { blocks, text, inner } = returned;
    const finished = { kind: 'complete', structured, content: blocks } as const;
    if (inner) return { ...finished, inner, ...textOfInner(inner) };
    return text === undefined ? finished : { ...finished, text: () => text };
  }

  return async function invoke(name: string, args: unknown, call: CallContext): Promise<ToolResult> {
    const startedAt = performance.now();
    let tool = 'unknown'; // a name that does not exist must not become a label
    let code: AuditEntry['outcome'] = 'OK';
    let writes = false;
    const seen: Seen = { workspaceId: undefined, input: undefined, caller: undefined };
    try {
      // The owner's own calls are not counted, and need not wait.
      if (call.caller.kind !== 'owner') await host.limit(call, host.registry.groupOf(name));
      const found = host.registry.find(name, call);
      tool = found.tool.name;
      writes = found.tool.effect !== 'read';
      return await run(found, args, call, seen);
    } catch (thrown) {
      const error = toServiceError(abortReason(thrown, call), call.requestId);
      code = error.code;
      remarkRetry(call, error);
      // A role that is too weak says in which workspace.
      seen.workspaceId ??= error.details?.['workspace_id'] as string | undefined;
      if (error.code === 'INTERNAL') {
        call.log.error(
          { err: error.cause, tool, request_id: call.requestId, ...schemaHint(error.cause) },
          'a tool failed',
        );
      }
      throw error;
    } finally {
      if (host.audit && (writes || DENIALS.has(code))) {
        const { surface, peer, requestId } = call;
        const { workspaceId, caller = call.caller } = seen;
        const target = seen.input && auditTarget(seen.input);
        const entry = { caller, surface, peer, requestId, action: tool, workspaceId, target, outcome: code };
        await host.audit
          .record(entry)
          .catch((err: unknown) => call.log.error({ err, tool }, 'the audit log failed'));
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const ended = { tool, surface: call.surface, code, seconds, workspaceId: seen.workspaceId };
      for (const observe of host.observe) observe(ended);
    }
  };
}

/** The text of a result that holds another tool's. */
function textOfInner({ finished: { text } }: InnerCall): Pick<FinishedCall, 'text'> {
  return text ? { text: ({ result }) => text(result as FinishedCall['structured']) } : {}; // as `passedOn` made it
}

/** Deletes, once more where the disk turns out to be full only now: the room is there after that. */
async function withRoom<T>(makeRoom: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  await makeRoom();
  try {
    return await work();
  } catch (error) {
    if (!isOutage(error, 'disk_full')) throw error;
    await makeRoom();
    return work();
  }
}

/** Facts that are known when a call ends. */
interface Seen {
  workspaceId: string | undefined;
  /** Checked arguments, which the audit log may name. */
  input: object | undefined;
  /** The user that the handler of a call without a credential identified. */
  caller: Caller | undefined;
}

/** Keeps the user that the handler identifies, and passes the other remarks on. */
function hearing(call: CallContext, seen: Seen): (remark: Remark) => void {
  return ({ caller, ...rest }) => {
    seen.caller = caller ?? seen.caller;
    call.remark?.(rest);
  };
}

/** Throws INVALID_REQUEST for a tool that streams, where the call came without a stream. */
function refuseWithoutLines(name: string, streams: Streams | undefined, { lines, send }: CallContext): void {
  if (streams === undefined || (streams === 'in' ? lines : send)) return;
  throw new ServiceError('INVALID_REQUEST', `${name} streams lines, which only REST carries. Call it there.`);
}

/** The refusal of a call whose time is over before its handler begins: what is answered as failed must not be done. */
const overBefore = () =>
  new ServiceError(
    'DEADLINE_EXCEEDED',
    'The time of this call was over before its work began: nothing was done. Try again.',
  );

const DENIALS: ReadonlySet<AuditEntry['outcome']> = new Set(['PERMISSION_DENIED', 'UNAUTHENTICATED']);

function without(input: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
