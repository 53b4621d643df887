import type { Socket } from 'node:net';
import { toServiceError, type Headers, type Progress } from '@service-mcp/core';
import { answer, type Parts } from './answer.js';
import { messages } from './messages.js';

/**
 * Serves one connection. Its first line is `{"headers": {"x-service-api-key": "…"}}`, with lower-cased names; each
 * line after it is a request, and they run at once. A connection whose credential is refused gets the error and ends.
 */
export async function serveSocket(socket: Socket, parts: Parts): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  socket.on('error', () => undefined); // 'close' follows
  const send = (value: object) => socket.write(`${JSON.stringify(value)}\n`);
  try {
    let headers: Headers | undefined;
    for await (const message of messages(socket)) {
      if (headers) {
        const report = (progress: Progress) => send({ id: message['id'], progress });
        const work = answer(message, headers, gone.signal, parts, report).then(send);
        parts.running.add(work);
        void work.finally(() => parts.running.delete(work));
      } else {
        headers = (message['headers'] ?? {}) as Headers;
        const call = await parts.accept({ headers, signal: gone.signal });
        call.finish();
        send({ ready: true });
      }
    }
  } catch (error) {
    send({ error: toServiceError(error).body });
  }
  socket.end();
}
