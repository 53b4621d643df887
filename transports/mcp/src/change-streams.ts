import type { ServerResponse } from 'node:http';
import type { CatalogChange } from '@service-mcp/core';
import type { Session } from '@service-mcp/core/wire';
import { eventOf, feed, HEARTBEAT, STREAM_HEADERS, whenClosed } from './event-stream.js';

/** Streams that one session has at most: when it opens another, the oldest ends, whose client may be gone. */
const MOST_OF_SESSION = 4;

/** The stream that a client of the handshake opened by GET. */
export interface ChangeStream {
  /** What the session has become: its subscriptions count from here on. */
  amend(session: Session): void;
  end(): void;
}

interface Follower extends ChangeStream {
  readonly res: ServerResponse;
  subscriptions: ReadonlySet<string>;
}

interface StreamOptions {
  readonly heartbeatMs: number;
  /** Told the resources of which the stream is to tell, at first and whenever they change. */
  readonly watch: (uris: readonly string[]) => void;
}

/** Tells the clients of the handshake's revisions what has changed, on the streams that they opened by GET. */
export class ChangeStreams {
  /** By session, the newest last. */
  readonly #followers = new Map<string, Follower[]>();

  /** Answers with a stream, which lasts until its client, {@link end} or {@link close} ends it. */
  open(res: ServerResponse, session: Session, { heartbeatMs, watch }: StreamOptions): ChangeStream {
    const follower: Follower = {
      res,
      subscriptions: new Set(session.subscriptions),
      amend: ({ subscriptions }) => {
        follower.subscriptions = new Set(subscriptions);
        watch(subscriptions);
      },
      end: () => res.end(),
    };
    watch(session.subscriptions);
    const others = this.#followers.get(session.id) ?? [];
    this.#followers.set(session.id, [...others, follower]);
    others.slice(0, Math.max(0, others.length + 1 - MOST_OF_SESSION)).forEach((oldest) => oldest.end());
    res.writeHead(200, STREAM_HEADERS);
    feed(res, HEARTBEAT);
    const heartbeat = setInterval(() => feed(res, HEARTBEAT), heartbeatMs).unref();
    whenClosed(res, () => {
      clearInterval(heartbeat);
      const left = (this.#followers.get(session.id) ?? []).filter((other) => other !== follower);
      if (left.length > 0) this.#followers.set(session.id, left);
      else this.#followers.delete(session.id);
    });
    return follower;
  }

  /** A message goes to one stream of a session alone (MCP), the newest. */
  tell(change: CatalogChange): void {
    const event = eventOf(noticeOf(change));
    for (const followers of this.#followers.values()) {
      const newest = followers.at(-1);
      if (newest && (change.kind !== 'resource' || newest.subscriptions.has(change.uri)))
        feed(newest.res, event);
    }
  }

  amended(session: Session): void {
    for (const follower of this.#followers.get(session.id) ?? []) follower.amend(session);
  }

  /** The session is over. */
  end(sessionId: string): void {
    for (const follower of this.#followers.get(sessionId) ?? []) follower.end();
  }

  /** The service stops. */
  close(): void {
    for (const followers of this.#followers.values()) for (const follower of followers) follower.end();
  }
}

function noticeOf(change: CatalogChange): object {
  if (change.kind !== 'resource')
    return { jsonrpc: '2.0', method: `notifications/${change.kind}/list_changed` };
  return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: change.uri } };
}
