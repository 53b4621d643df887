import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ROOT } from './deployment.js';

/** `connecting` before the first answer, `live` while events come, `lost` while the service is tried again. */
export type LiveState = 'connecting' | 'live' | 'lost';

/** An event of the service, or `reset`: copies are out of date. */
export interface LiveEvent {
  readonly type: string;
  /** Null where it is about the deployment. */
  readonly workspace_id: string | null;
  /** RFC 3339. */
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Message =
  | { readonly kind: 'state'; readonly state: LiveState }
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'position'; readonly id: string }
  | { readonly kind: 'ask' };

const NAME = 'service-mcp-live';
const RETRY_MS = [1_000, 2_000, 5_000, 10_000] as const;
/** Three heartbeats of the service. A connection that a sleep or a change of networks cut off ends by itself late or never. */
const SILENT_MS = 45_000;

/**
 * The change events of the service, by one stream for all tabs of this origin: a browser opens six connections to a
 * host, and streams would use them up. The tab that holds the lock reads; the others hear it over a channel, and one
 * of them takes over when it closes. Read by fetch: EventSource hears only names that it was told, and no status.
 * Locks exist in secure contexts alone: over plain http to another machine each tab reads for itself, without a channel.
 */
export function listen(onState: (state: LiveState) => void, onEvent: (event: LiveEvent) => void): () => void {
  const ended = new AbortController();
  const channel = 'locks' in navigator ? new BroadcastChannel(`${NAME}:${ROOT.pathname}`) : undefined;
  let current: LiveState = 'connecting';
  let position = ''; // known to every tab, so that the one that takes over goes on there
  const take = (message: Message) => {
    if (message.kind === 'event') onEvent(message.event);
    else if (message.kind === 'position') position = message.id;
    else if (message.kind === 'state') onState((current = message.state));
  };
  const tell = (message: Message) => {
    take(message);
    channel?.postMessage(message);
  };
  const read = () => {
    channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'ask') return;
      channel.postMessage({ kind: 'state', state: current } satisfies Message);
      channel.postMessage({ kind: 'position', id: position } satisfies Message);
    });
    return readForever(() => position, tell, ended.signal);
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data));
  channel?.postMessage({ kind: 'ask' } satisfies Message);
  const reading = channel ? navigator.locks.request(channel.name, { signal: ended.signal }, read) : read();
  reading.catch(() => undefined); // it ends with the page
  return () => {
    ended.abort();
    channel?.close();
  };
}

async function readForever(
  position: () => string,
  tell: (message: Message) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const reset = () =>
    tell({ kind: 'event', event: { type: 'reset', workspace_id: null, occurred_at: '', data: {} } });
  const parser = createParser({
    onEvent({ id, event = '', data }: EventSourceMessage) {
      if (id !== undefined) tell({ kind: 'position', id });
      if (event === 'stream.opened') return;
      if (event === 'reset') reset();
      else tell({ kind: 'event', event: JSON.parse(data) as LiveEvent }); // events.md: {type, workspace_id, occurred_at, data}
    },
  });
  while (!signal.aborted) {
    let status = 0;
    try {
      status = await readOnce(
        position(),
        signal,
        (text) => parser.feed(text),
        () => {
          failures = 0;
          tell({ kind: 'state', state: 'live' });
        },
      );
    } catch {
      // The service is away.
    }
    parser.reset(); // what broke off within an event is not the beginning of the next stream
    parser.reset();
    if (signal.aborted) return;
    // Where the session has ended the service does answer: each tab reads again, which leads it to the sign-in.
    if (status === 401) reset();
    else tell({ kind: 'state', state: 'lost' });
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

/** Reads a stream to its end, or until it is silent. Resolves with the status of the answer; rejects where it breaks off. */
async function readOnce(
  last: string, // empty: from now on
  signal: AbortSignal,
  feed: (text: string) => void,
  onOpen: () => void,
): Promise<number> {
  const reading = new AbortController();
  const end = () => reading.abort();
  signal.addEventListener('abort', end);
  let silence = setTimeout(end, SILENT_MS);
  try {
    const response = await fetch(new URL('api/v1/stream', ROOT), {
      headers: last === '' ? {} : { 'last-event-id': last },
      signal: reading.signal,
    });
    if (!response.ok || !response.body) return response.status;
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return response.status;
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
      feed(value);
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
