import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import {
  type CallContext,
  type ChangeEvent,
  type EventStreamRequest,
  type StreamedEvent,
} from '@service-mcp/core';
import type { Connection } from '../connection/connection.js';
import { notTheService } from '../connection/connection-errors.js';
import { isRecord } from '../connection/error-response.js';
import type { CredentialHeaders } from '../identity/credentials.js';

/** Events contain only ids and names. */
const MAX_EVENT_CHARACTERS = 1024 * 1024;

/**
 * Forwards the service's stream of change events to one caller until the call is aborted or the stream ends. A reader
 * that reconnects with the id of its last event misses nothing.
 */
export async function* streamEvents(
  connection: Connection,
  credential: CredentialHeaders,
  { after, types, workspaceId }: EventStreamRequest,
  { signal, requestId }: Pick<CallContext, 'signal' | 'requestId'>,
): AsyncGenerator<StreamedEvent> {
  const { base } = connection;
  const query = new URLSearchParams();
  if (types.length > 0) query.set('types', types.join(','));
  if (workspaceId !== undefined) query.set('workspace_id', workspaceId);
  const { body } = await connection.send(`${base}/api/v1/stream?${query.toString()}`, {
    signal,
    headers: {
      ...credential,
      accept: 'text/event-stream',
      'x-request-id': requestId,
      ...(after !== undefined && { 'last-event-id': after }),
    },
  });
  if (!body) throw notTheService(base, 'does not send an event stream');
  // Node's and the DOM's type declarations of the same streams differ.
  const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  try {
    // Ends with the service's stream, an aborted call, or a reader that stops.
    const parser = new EventSourceParserStream({ onError: 'terminate', maxBufferSize: MAX_EVENT_CHARACTERS });
    for await (const message of body.pipeThrough(decoder).pipeThrough(parser)) {
      const streamed = toStreamedEvent(message);
      if (streamed) yield streamed;
    }
  } catch {
    // A broken connection ends the stream.
  }
}

/** An event of the stream; undefined for an unreadable message. */
function toStreamedEvent({ id, event, data }: EventSourceMessage): StreamedEvent | undefined {
  if (id === undefined || event === undefined) return undefined;
  if (event === 'reset') return { kind: 'reset', id };
  if (event === 'stream.opened') return { kind: 'opened', id };
  const value = parse(data);
  if (!isRecord(value)) return undefined;
  const { workspace_id: workspaceId, occurred_at: occurredAt, data: eventData } = value;
  const change: ChangeEvent = {
    id,
    type: event,
    workspaceId: typeof workspaceId === 'string' ? workspaceId : null,
    occurredAt: String(occurredAt),
    data: isRecord(eventData) ? eventData : {},
  };
  return { kind: 'event', event: change };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
