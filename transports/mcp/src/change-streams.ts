import type { ServerResponse } from 'node:http';
import type { CatalogChange } from '@service-mcp/core';
import type { Session } from '@service-mcp/core/wire';
import {
  eventOf,
  HEARTBEAT,
  sendHeartbeats,
  STREAM_HEADERS,
  whenClosed,
  writeChunk,
} from './event-stream.js';

/** A session that opens one more loses its oldest stream: the client of that one may be gone. */
const MAX_STREAMS_PER_SESSION = 4;

/** A stream that a client of the handshake revisions opened by GET. */
interface ChangeStream {
  readonly res: ServerResponse;
  readonly watch: (uris: readonly string[]) => void;
  subscriptions: ReadonlySet<string>;
}

/** Sends changes of the catalog to clients of the handshake revisions, on the streams that they opened by GET. */
export class ChangeStreams {
  /** By session id, the newest last. */
  readonly #streams = new Map<string, readonly ChangeStream[]>();

  /**
   * Answers with a stream, which lasts until the response, {@link end} or {@link close} ends it. `watch` gets the URIs of
   * the subscribed resources, at first and whenever they change.
   */
  open(
    res: ServerResponse,
    { id, subscriptions }: Session,
    heartbeatMs: number,
    watch: (uris: readonly string[]) => void,
  ): void {
    const stream: ChangeStream = { res, watch, subscriptions: new Set(subscriptions) };
    watch(subscriptions);
    const streams = [...this.#of(id), stream];
    this.#streams.set(id, streams);
    streams.slice(0, -MAX_STREAMS_PER_SESSION).forEach((oldest) => oldest.res.end());
    res.writeHead(200, STREAM_HEADERS);
    writeChunk(res, HEARTBEAT);
    sendHeartbeats(res, heartbeatMs);
    whenClosed(res, () => {
      const left = this.#of(id).filter((other) => other !== stream);
      if (left.length > 0) this.#streams.set(id, left);
      else this.#streams.delete(id);
    });
  }

  /** Sends to all sessions, or to one. MCP allows a message on one stream of a session only: the newest gets it. */
  send(change: CatalogChange, sessionId?: string): void {
    const event = eventOf(notificationOf(change));
    const all = sessionId === undefined ? this.#streams.values() : [this.#of(sessionId)];
    for (const streams of all) {
      const newest = streams.at(-1);
      if (newest && (change.kind !== 'resource' || newest.subscriptions.has(change.uri)))
        writeChunk(newest.res, event);
    }
  }

  /** Applies the subscriptions of a changed session. */
  update({ id, subscriptions }: Session): void {
    for (const stream of this.#of(id)) {
      stream.subscriptions = new Set(subscriptions);
      stream.watch(subscriptions);
    }
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

function notificationOf(change: CatalogChange): object {
  if (change.kind !== 'resource')
    return { jsonrpc: '2.0', method: `notifications/${change.kind}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: change.uri } };
}
