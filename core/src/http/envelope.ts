import type { ErrorBody, ServiceError } from '../errors.js';

/** What an envelope says of the request it answers. */
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

export interface SuccessEnvelope<T> {
  readonly success: true;
  readonly data: T;
  readonly error: null;
  readonly metadata: EnvelopeMetadata;
}

export interface FailureEnvelope {
  readonly success: false;
  readonly data: null;
  readonly error: ErrorBody;
  readonly metadata: EnvelopeMetadata;
}

export function successEnvelope<T>(data: T, meta: EnvelopeMeta): SuccessEnvelope<T> {
  return { success: true, data, error: null, metadata: metadataOf(meta) };
}

export function failureEnvelope(error: ServiceError, meta: EnvelopeMeta): FailureEnvelope {
  return { success: false, data: null, error: error.body, metadata: metadataOf(meta) };
}

function metadataOf(meta: EnvelopeMeta): EnvelopeMetadata {
  return {
    request_id: meta.requestId,
    timestamp: new Date().toISOString(),
    duration_ms: Math.round(performance.now() - meta.startedAt),
    version: meta.version,
  };
}
