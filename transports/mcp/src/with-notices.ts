import type { ServerContext } from '@modelcontextprotocol/server';
import { amendCall, anySignal, type CallContext, type Notice, type Progress } from '@service-mcp/core';

/** By rising urgency. */
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

/** The messages that the client accepts before the result. */
export interface NoticeOptions {
  /** False when nothing can be sent before the result. */
  readonly streams: boolean;
  /** Least level of log messages; undefined for no messages. */
  readonly logLevel: unknown;
}

/** A value that a request of the stateless revision carries in its `_meta`. */
export function inEnvelope({ envelope }: ServerContext['mcpReq'], key: string): unknown {
  return (envelope as Readonly<Record<string, unknown>> | undefined)?.[key]; // the SDK types it without keys
}

/**
 * Runs `work` with the signal of the request and, for a client that accepts them, progress and log messages added to the
 * call. They are sent in order and before the result; progress that does not grow is dropped, as MCP demands.
 */
export async function withNotices<T>(
  request: ServerContext['mcpReq'],
  call: CallContext,
  { streams, logLevel }: NoticeOptions,
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
    sent = sent.then(() => request.notify(notification)).catch(() => undefined); // a disconnected client: its signal ends the work
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
    const channels = {
      ...(progressToken !== undefined && { progress }),
      ...(least !== -1 && { notify }),
    };
    return await work(amendCall(call, channels, signal));
  } finally {
    await sent;
  }
}
