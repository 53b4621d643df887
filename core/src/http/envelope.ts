import type { Context } from 'koa';
import type { ErrorBody, ServiceError } from '../errors.js';

/** Facts of a request for the envelope of its answer. */
export interface EnvelopeMeta {
  readonly requestId: string;
  /** `performance.now()` when the request came in. */
  readonly startedAt: number;
  /** The version of the deployment. */
  readonly version: string;
}

/** `metadata` of interface.md 2: the time of the answer (RFC 3339 UTC) and whole milliseconds spent on it. */
export interface EnvelopeMetadata {
  readonly request_id: string;
  readonly timestamp: string;
  readonly duration_ms: number;
  readonly version: string;
}

export interface FailureEnvelope {
  readonly success: false;
  readonly data: null;
  readonly error: ErrorBody;
  readonly metadata: EnvelopeMetadata;
}

/** The envelope of a success, as JSON: only the data, whose shape differs, goes through the general serialiser. */
export function successJson(data: object, meta: EnvelopeMeta): string {
  const { request_id, timestamp, duration_ms, version } = metadataOf(meta);
  const metadata = `{"request_id":${quote(request_id)},"timestamp":"${timestamp}","duration_ms":${duration_ms},"version":${quote(version)}}`;
  return `{"success":true,"data":${JSON.stringify(data)},"error":null,"metadata":${metadata}}`;
}

const quote = (text: string) => JSON.stringify(text);

export function failureEnvelope(error: ServiceError, meta: EnvelopeMeta): FailureEnvelope {
  return { success: false, data: null, error: error.body, metadata: metadataOf(meta) };
}

function metadataOf(meta: EnvelopeMeta): EnvelopeMetadata {
  return {
    request_id: meta.requestId,
    timestamp: now(),
    duration_ms: Math.round(performance.now() - meta.startedAt),
    version: meta.version,
  };
}

let latest = { ms: 0, text: '' };

/** The time of the answer; many answers fall into one millisecond. */
function now(): string {
  const ms = Date.now();
  if (ms !== latest.ms) latest = { ms, text: new Date(ms).toISOString() };
  return latest.text;
}

/** Answers with JSON text, past Koa's own way of sending a body, which costs as much as a trivial call. */
export function sendJson(ctx: Context, status: number, text: string): void {
  ctx.respond = false;
  ctx.res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  ctx.res.end(text);
}
