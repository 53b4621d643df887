import type { Socket } from 'node:net';
import { ERRORS, ServiceError } from '../errors.js';
import { failureEnvelope } from './envelope.js';

/** How long a client may keep its end open after the answer. */
const CLOSE_WAIT_MS = 10_000;

/**
 * Answers a request that the HTTP parser cannot read, in the envelope, and ends its connection: a header section
 * over 16 KiB is PAYLOAD_TOO_LARGE, anything malformed INVALID_REQUEST. A request that arrives too slowly gets a bare 408.
 * Behind an answer that has begun (`isAnswering`), it would be taken for a part of that: both are cut off.
 */
export function answerClientError(
  version: string,
  isAnswering: (socket: Socket) => boolean,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return ({ code }, socket) => {
    if (!socket.writable || code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      endWith(socket, 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      return;
    }
    const error =
      code === 'HPE_HEADER_OVERFLOW'
        ? new ServiceError(
            'PAYLOAD_TOO_LARGE',
            'Address and headers are over 16 KiB. Send long values in the body.',
          )
        : new ServiceError(
            'INVALID_REQUEST',
            code === 'HPE_INVALID_URL'
              ? 'The address of the request is malformed. Percent-encode what is not ASCII: ü is %C3%BC.'
              : 'This is not a valid HTTP/1.1 request.',
          );
    const meta = { requestId: crypto.randomUUID(), startedAt: performance.now(), version };
    const body = JSON.stringify(failureEnvelope(error, meta));
    const head = [
      `HTTP/1.1 ${ERRORS[error.code].http} ${error.code}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    endWith(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

function endWith(socket: Socket, answer: string): void {
  const timer = setTimeout(() => socket.destroy(), CLOSE_WAIT_MS).unref();
  socket.once('close', () => clearTimeout(timer)).end(answer);
}
