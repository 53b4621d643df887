import type { ServerResponse } from 'node:http';
import type { CatalogChange } from '@service-mcp/core';
import type { Session } from '@service-mcp/core/wire';
import { eventOf, HEARTBEAT, STREAM_HEADERS, whenClosed, writeChunk } from './event-stream.js';

/** When a session opens one more, its oldest stream ends: the client of that one may be gone. */
const MAX_STREAMS_PER_SESSION = 4;

/** A stream that a client of the handshake revisions opened by GET. */
export interface ChangeStream {
  /** Applies the subscriptions of the changed session. */
  update(session: Session): void;
  end(): void;
}

interface OpenChangeStream extends ChangeStream {
  readonly res: ServerResponse;
  subscriptions: ReadonlySet<string>;
}

interface StreamOptions {
  readonly heartbeatMs: number;
  /** Called with the URIs of the subscribed resources, at first and whenever they change. */
  readonly watch: (uris: readonly string[]) => void;
}

/** Sends changes of the catalog to clients of the handshake revisions, on the streams that they opened by GET. */
export class ChangeStreams {
  /** By session id, the newest last. */
  readonly #streams = new Map<string, OpenChangeStream[]>();

  /** Answers with a stream, which lasts until its client, {@link end} or {@link close} ends it. */
  open(res: ServerResponse, session: Session, { heartbeatMs, watch }: StreamOptions): ChangeStream {
    const stream: OpenChangeStream = {
      res,
      subscriptions: new Set(session.subscriptions),
      update: ({ subscriptions }) => {
        stream.subscriptions = new Set(subscriptions);
        watch(subscriptions);
      },
      end: () => res.end(),
    };
    watch(session.subscriptions);
    const others = this.#streams.get(session.id) ?? [];
    this.#streams.set(session.id, [...others, stream]);
    others
      .slice(0, Math.max(0, others.length + 1 - MAX_STREAMS_PER_SESSION))
      .forEach((oldest) => oldest.end());
    res.writeHead(200, STREAM_HEADERS);
    writeChunk(res, HEARTBEAT);
    const heartbeat = setInterval(() => writeChunk(res, HEARTBEAT), heartbeatMs).unref();
    whenClosed(res, () => {
      clearInterval(heartbeat);
      const left = (this.#streams.get(session.id) ?? []).filter((other) => other !== stream);
      if (left.length > 0) this.#streams.set(session.id, left);
      else this.#streams.delete(session.id);
    });
    return stream;
  }

  /** MCP allows a message on one stream of a session only: the newest gets it. */
  send(change: CatalogChange): void {
    const event = eventOf(notificationOf(change));
    for (const streams of this.#streams.values()) {
      const newest = streams.at(-1);
      if (newest && (change.kind !== 'resource' || newest.subscriptions.has(change.uri)))
        writeChunk(newest.res, event);
    }
  }

  update(session: Session): void {
    for (const stream of this.#streams.get(session.id) ?? []) stream.update(session);
  }

  /** For a session that has ended. */
  end(sessionId: string): void {
    for (const stream of this.#streams.get(sessionId) ?? []) stream.end();
  }

  /** For a service that stops. */
  close(): void {
    for (const streams of this.#streams.values()) for (const stream of streams) stream.end();
  }
}

function notificationOf(change: CatalogChange): object {
  if (change.kind !== 'resource')
    return { jsonrpc: '2.0', method: `notifications/${change.kind}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: change.uri } };
}
