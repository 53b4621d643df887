import type { ServerResponse } from 'node:http';
import type { Session } from '@service-mcp/core/wire';
import {
  eventOf,
  HEARTBEAT,
  resourceUpdated,
  sendHeartbeats,
  STREAM_HEADERS,
  whenClosed,
  writeChunk,
} from './event-stream.js';

/** A session that opens one more loses its oldest stream: the client of that one may be gone. */
const MAX_STREAMS_PER_SESSION = 4;

/** A list of the catalog. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** A stream that a client of the handshake revisions opened by GET. */
interface ChangeStream {
  readonly res: ServerResponse;
  readonly watch: (uris: readonly string[]) => Promise<void>;
  subscriptions: ReadonlySet<string>;
  /** True once it watches its resources and its head is sent. */
  opened: boolean;
}

/** Sends changes of the catalog to clients of the handshake revisions, on the streams that they opened by GET. */
export class ChangeStreams {
  /** By session id, the newest last. */
  readonly #streams = new Map<string, readonly ChangeStream[]>();

  /**
   * Answers with a stream, which lasts until the response, {@link end} or {@link close} ends it. `watch` gets the URIs of
   * the subscribed resources, at first and whenever they change; what changes once the stream is open is told.
   */
  async open(
    res: ServerResponse,
    { id, subscriptions }: Session,
    heartbeatMs: number,
    watch: (uris: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const stream: ChangeStream = { res, watch, subscriptions: new Set(subscriptions), opened: false };
    const streams = [...this.#of(id), stream];
    this.#streams.set(id, streams);
    streams.slice(0, -MAX_STREAMS_PER_SESSION).forEach((oldest) => oldest.res.end());
    whenClosed(res, () => {
      const left = this.#of(id).filter((other) => other !== stream);
      if (left.length > 0) this.#streams.set(id, left);
      else this.#streams.delete(id);
    });
    await watch(subscriptions).catch(() => undefined); // tried again with the next update
    if (res.destroyed || res.writableEnded) return;
    res.writeHead(200, STREAM_HEADERS);
    stream.opened = true;
    writeChunk(res, HEARTBEAT);
    sendHeartbeats(res, heartbeatMs);
  }

  /**
   * Sends a change of a list to all sessions, or to one. MCP allows a message on one stream of a session only: the newest
   * gets it.
   */
  send(kind: ListKind, sessionId?: string): void {
    const event = eventOf({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` });
    const all = sessionId === undefined ? this.#streams.values() : [this.#of(sessionId)];
    for (const streams of all) {
      const newest = newestOf(streams);
      if (newest) writeChunk(newest.res, event);
    }
  }

  /** Sends a change of a resource that this stream watches; where it is not the newest of its session, that one does. */
  tell(res: ServerResponse, sessionId: string, uri: string): void {
    const newest = newestOf(this.#of(sessionId));
    if (newest?.res === res && newest.subscriptions.has(uri)) writeChunk(res, eventOf(resourceUpdated(uri)));
  }

  /** Applies the subscriptions of a changed session; resolves once its streams watch them, and rejects where one cannot. */
  async update({ id, subscriptions }: Session): Promise<void> {
    const streams = this.#of(id);
    for (const stream of streams) stream.subscriptions = new Set(subscriptions);
    await Promise.all(streams.map((stream) => stream.watch(subscriptions)));
  }

  /** For a session that has ended. */
  end(sessionId: string): void {
    for (const { res } of this.#of(sessionId)) res.end();
  }

  /** For a service that stops. */
  close(): void {
    for (const id of this.#streams.keys()) this.end(id);
  }

  #of(sessionId: string): readonly ChangeStream[] {
    return this.#streams.get(sessionId) ?? [];
  }
}

function newestOf(streams: readonly ChangeStream[]): ChangeStream | undefined {
  return streams.findLast(({ opened }) => opened);
}
