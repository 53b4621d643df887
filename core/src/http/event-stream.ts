import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { streamCheck } from '../wire/stream-check.js';

const HEARTBEAT_MS = 15_000;
/** How long a reader may take nothing while something waits for it. */
const SLOW_READER_MS = 30_000;

/** An answer of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventStream {
  /** True until the reader has gone, was dropped, or `end` was called. */
  readonly open: boolean;
  /** Resolves once the reader can take more; one that takes nothing for 30 s is dropped. False where the stream is no longer open. */
  send(event: { readonly id?: string; readonly event?: string; readonly data: string }): Promise<boolean>;
  end(): void;
}

/**
 * Answers with an event stream. Each 15 s a comment keeps proxies from closing it, and `check` runs: where that
 * rejects (a credential was revoked), the stream ends; with UNAVAILABLE at the fourth time in a row. A HEAD request gets
 * the head alone, and a stream that is not open.
 */
export function openEventStream(ctx: Context, check: () => Promise<unknown>): EventStream {
  const { res } = ctx;
  ctx.respond = false;
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  let open = true;
  const end = (): void => {
    if (!open) return;
    open = false;
    clearInterval(heart);
    res.end();
  };
  const checkOnce = streamCheck(check, end);
  const heart = setInterval(() => {
    if (res.writableLength === 0) res.write(':\n\n');
    void checkOnce();
  }, HEARTBEAT_MS).unref();
  const gone = (): void => {
    open = false;
    clearInterval(heart);
  };
  if (res.closed) gone();
  else res.once('close', gone);
  if (ctx.method === 'HEAD') end();
  return {
    get open() {
      return open;
    },
    end,
    async send({ id, event, data }) {
      if (!open) return false;
      const lines = [
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...data.split(/\r\n|[\r\n]/).map((line) => `data: ${line}`),
      ];
      if (!res.write(`${lines.join('\n')}\n\n`)) await drained(res);
      return open;
    },
  };
}

/** Until the reader has taken what waits, or is gone. */
async function drained(res: Context['res']): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const late = sleep(SLOW_READER_MS, 'late', { signal, ref: false });
  try {
    const taken = await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal }), late]);
    if (taken === 'late') res.destroy();
  } finally {
    done.abort();
    late.catch(() => undefined);
  }
}
