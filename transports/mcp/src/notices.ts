import type { ServerContext } from '@modelcontextprotocol/server';
import { amendCall, anySignal, type CallContext, type Notice, type Progress } from '@service-mcp/core';

/** From the least to the most urgent. */
const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] satisfies readonly Notice['level'][];

/** What the client wants to be told before the result. */
export interface Wanted {
  /** False where nothing can be sent to it before the result. */
  readonly streams: boolean;
  /** The least level of log messages; undefined for none. */
  readonly logLevel: unknown;
}

/** What a request of the stateless revision says of its client, by the key in its `_meta`. */
export function inEnvelope({ envelope }: ServerContext['mcpReq'], key: string): unknown {
  return (envelope as Readonly<Record<string, unknown>> | undefined)?.[key]; // the SDK types it without keys
}

/**
 * Runs `work` with the request's own signal and, where the client wants them, progress and log messages added to the call. They
 * are sent in order, progress only while it grows (as MCP demands), and all before the result.
 */
export async function inRequest<T>(
  request: ServerContext['mcpReq'],
  call: CallContext,
  { streams, logLevel }: Wanted,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const signal = anySignal(
    () => call.signal,
    () => request.signal,
  );
  const progressToken = request._meta?.progressToken;
  const least = typeof logLevel === 'string' ? LEVELS.indexOf(logLevel) : -1;
  if (!streams || (progressToken === undefined && least === -1)) return work(amendCall(call, {}, signal));
  let sent = Promise.resolve();
  const send = (notification: Parameters<typeof request.notify>[0]): void => {
    sent = sent.then(() => request.notify(notification)).catch(() => undefined); // the client is gone: its signal ends the work
  };
  let last = -Infinity;
  const progress = (report: Progress): void => {
    if (progressToken === undefined || !(report.progress > last)) return;
    last = report.progress;
    send({ method: 'notifications/progress', params: { progressToken, ...report } });
  };
  const notify = ({ level, logger, data }: Notice): void => {
    if (LEVELS.indexOf(level) < least) return;
    const params = { level, data, ...(logger !== undefined && { logger }) };
    send({ method: 'notifications/message', params });
  };
  try {
    const told = {
      ...(progressToken !== undefined && { progress }),
      ...(least !== -1 && { notify }),
    };
    return await work(amendCall(call, told, signal));
  } finally {
    await sent;
  }
}
