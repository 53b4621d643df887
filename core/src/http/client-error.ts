import type { Socket } from 'node:net';
import { ERRORS, ServiceError } from '../errors.js';
import { failureEnvelope } from './envelope.js';

/**
 * Answers a request that the HTTP parser cannot read, in the envelope, and ends its connection: a header section
 * over 16 KiB is PAYLOAD_TOO_LARGE, anything malformed INVALID_REQUEST. A request that arrives too slowly gets a bare 408.
 */
export function answerClientError(version: string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return ({ code }, socket) => {
    if (!socket.writable || code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      return;
    }
    const error =
      code === 'HPE_HEADER_OVERFLOW'
        ? new ServiceError(
            'PAYLOAD_TOO_LARGE',
            'Address and headers are over 16 KiB. Send long values in the body.',
          )
        : new ServiceError('INVALID_REQUEST', 'This is not a valid HTTP/1.1 request.');
    const meta = { requestId: crypto.randomUUID(), startedAt: performance.now(), version };
    const body = JSON.stringify(failureEnvelope(error, meta));
    const head = [
      `HTTP/1.1 ${ERRORS[error.code].http} ${error.code}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
}
