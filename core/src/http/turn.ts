import type { Socket } from 'node:net';
import type { Context } from 'koa';

/** Requests that one connection may send ahead of their answers; a connection that sends more is ended. */
const MAX_WAITING = 100;

/** What a connection that closes calls, for each of its waiting requests. */
const waitingOn = new WeakMap<Socket, Set<() => void>>();

/**
 * True once the earlier answers of the connection are sent (RFC 9112, 9.3.2); false where it closed before, so that the
 * request has no reader. Node emits no `close` for a response that still waits for its connection: a handler that began
 * before its turn would never free what it holds until then.
 */
export function awaitTurn({ req, res }: Context): true | Promise<boolean> {
  if (res.socket !== null) return true;
  const { socket } = req;
  const waiting = waitingOn.get(socket) ?? follow(socket);
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isTurn: boolean): void => {
      waiting.delete(drop);
      resolve(isTurn);
    };
    const drop = (): void => settle(false);
    waiting.add(drop);
    res.once('socket', () => settle(true));
    if (waiting.size > MAX_WAITING) socket.destroy();
  });
}

function follow(socket: Socket): Set<() => void> {
  const waiting = new Set<() => void>();
  waitingOn.set(socket, waiting);
  socket.once('close', () => {
    for (const drop of waiting) drop();
  });
  return waiting;
}
