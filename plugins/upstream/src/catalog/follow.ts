import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import {
  type CallContext,
  type ChangeEvent,
  type EventStreamRequest,
  type StreamedEvent,
} from '@service-mcp/core';
import type { Connection } from '../connection/connection.js';
import { notTheService } from '../connection/failures.js';
import { isRecord } from '../connection/refusals.js';
import type { CredentialHeaders } from '../identity/credentials.js';

/** The longest event, in characters: those of the service hold ids and names. */
const MOST_OF_EVENT = 1024 * 1024;

/**
 * The service's own stream of change events, passed on for one caller until the call is aborted. It ends with the
 * service's: the reader comes back with the id of the last event, and misses nothing.
 */
export async function* follow(
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
  if (!body) throw notTheService(base, 'sends no stream of events');
  // The declarations of Node and of the web name the same streams differently.
  const decoder = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  try {
    // Reads until the service ends it, the call is aborted, or whoever follows has enough.
    const parser = new EventSourceParserStream({ onError: 'terminate', maxBufferSize: MOST_OF_EVENT });
    for await (const message of body.pipeThrough(decoder).pipeThrough(parser)) {
      const followed = followedEvent(message);
      if (followed) yield followed;
    }
  } catch {
    // Broken off: an end like any other.
  }
}

/** An event of the stream; undefined for one that cannot be read. */
function followedEvent({ id, event, data }: EventSourceMessage): StreamedEvent | undefined {
  if (id === undefined || event === undefined) return undefined;
  if (event === 'reset') return { kind: 'reset', id };
  if (event === 'stream.opened') return { kind: 'opened', id };
  const value = parse(data);
  if (!isRecord(value)) return undefined;
  const { workspace_id: workspaceId, occurred_at: occurredAt, data: told } = value;
  const change: ChangeEvent = {
    id,
    type: event,
    workspaceId: typeof workspaceId === 'string' ? workspaceId : null,
    occurredAt: String(occurredAt),
    data: isRecord(told) ? told : {},
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
