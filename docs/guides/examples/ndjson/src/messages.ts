import type { Socket } from 'node:net';
import { BODY_LIMIT, ServiceError } from '@service-mcp/core';

export type Message = Readonly<Record<string, unknown>>;

/**
 * The lines that a socket sends, as objects. Throws PAYLOAD_TOO_LARGE for a line of more than {@link BODY_LIMIT}
 * characters and PARSE_ERROR for one that is not a JSON object.
 */
export async function* messages(socket: Socket): AsyncGenerator<Message> {
  let rest = '';
  const chunks = socket.setEncoding('utf8').iterator({ destroyOnReturn: false }); // a refusal is still to be sent
  for await (const chunk of chunks) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parse(line);
    if (rest.length > BODY_LIMIT)
      throw new ServiceError(
        'PAYLOAD_TOO_LARGE',
        `A line may have ${BODY_LIMIT} characters. Send shorter ones.`,
      );
  }
}

function parse(line: string): Message {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Message;
  } catch {
    // the same answer as for JSON that is not an object
  }
  throw new ServiceError('PARSE_ERROR', 'Each line must be one JSON object.');
}
