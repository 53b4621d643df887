import { ERRORS, type ErrorCode, type FailureForm, type JsonSchema } from '@service-mcp/core';
import { JSON_RPC_FAILURE } from '@service-mcp/core/wire';
import type { HttpTool } from '../paths.js';

/** Codes that a request can get before its route is asked: refused by address, Host, Origin or size, or a service that stops. */
const OF_A_REQUEST: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'PERMISSION_DENIED',
  'PAYLOAD_TOO_LARGE',
  'MISDIRECTED',
  'INTERNAL',
  'UNAVAILABLE',
];
const OF_A_CALL: readonly ErrorCode[] = [
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'NOT_FOUND',
  'UNKNOWN_TOOL',
  'RATE_LIMITED',
  'DEADLINE_EXCEEDED',
];
const OF_A_BODY: readonly ErrorCode[] = ['PARSE_ERROR', 'UNSUPPORTED_MEDIA_TYPE'];

/** The codes that a route of this tool can give. */
export function failuresOf({ http, effect, conflicts }: HttpTool): readonly ErrorCode[] {
  const hasBody = http.method === 'POST' || http.method === 'PATCH';
  const canConflict = effect !== 'read' || conflicts === true;
  return [...OF_A_CALL, ...(hasBody ? OF_A_BODY : []), ...(canConflict ? (['CONFLICT'] as const) : [])];
}

const ALL = Object.keys(ERRORS) as ErrorCode[]; // its keys
const quoted = (codes: readonly ErrorCode[]) => codes.map((code) => `\`${code}\``).join(', ');

/** An error as every form has it. */
const ERROR: JsonSchema = {
  title: 'Error',
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: {
      type: 'string',
      enum: ALL,
      description: `The code, with the HTTP status it comes with:\n\n${ALL.map((code) => `- \`${code}\`: ${ERRORS[code].http}`).join('\n')}`,
    },
    message: { type: 'string', description: 'What is wrong, and what to do next.' },
    details: {
      type: 'object',
      description: 'More on the failure; of INVALID_ARGUMENT the list of issues.',
      properties: {
        issues: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'JSON Pointer into the arguments.' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

/** `metadata` of the envelope (interface.md 2). */
export const METADATA: JsonSchema = {
  title: 'Metadata',
  type: 'object',
  required: ['request_id', 'timestamp', 'duration_ms', 'version'],
  properties: {
    request_id: { type: 'string', description: 'Echoes a valid X-Request-Id of the request, else a new id.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the answer was made, in UTC.' },
    duration_ms: { type: 'integer', minimum: 0, description: 'Time spent on the request, in milliseconds.' },
    version: { type: 'string', description: 'The version of the service.' },
  },
};

const ENVELOPE: JsonSchema = {
  title: 'Failure',
  type: 'object',
  required: ['success', 'data', 'error', 'metadata'],
  properties: {
    success: { type: 'boolean', const: false },
    data: { type: 'null' },
    error: ERROR,
    metadata: METADATA,
  },
};

const PLAIN: JsonSchema = {
  title: 'PlainFailure',
  type: 'object',
  required: ['error'],
  properties: { error: ERROR },
};

/** What any route gives may be in the envelope: it is refused before the route is asked. */
const FORMS: Readonly<Record<FailureForm, JsonSchema>> = {
  envelope: ENVELOPE,
  plain: { anyOf: [PLAIN, ENVELOPE] },
  rpc: { anyOf: [JSON_RPC_FAILURE, ENVELOPE] },
};

/** The schemas of failures that are components. */
export const FAILURE_SCHEMAS: readonly JsonSchema[] = [METADATA, ...Object.values(FORMS)];

const RETRY = {
  'Retry-After': {
    description: 'Seconds after which to try again, where known.',
    schema: { type: 'integer' },
  },
};
const CHALLENGE = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
};
const HEADERS: Readonly<Record<number, object>> = { 401: CHALLENGE, 403: CHALLENGE, 429: RETRY, 503: RETRY };

/** The responses of failures, one for each form and status, made where a route first needs them. */
export class FailureResponses {
  readonly #responses = new Map<string, unknown>();
  readonly #embed: (schema: JsonSchema) => JsonSchema;
  readonly #authenticated: boolean;

  /** `authenticated`: false where no request needs a credential, and none can be wrong. */
  constructor(embed: (schema: JsonSchema) => JsonSchema, authenticated: boolean) {
    this.#embed = embed;
    this.#authenticated = authenticated;
  }

  /** By status, references to the responses of these codes and of those that any request can get. */
  of(codes: readonly ErrorCode[], form: FailureForm = 'envelope'): Record<string, { $ref: string }> {
    const possible = [...OF_A_REQUEST, ...codes].filter(
      (code) => this.#authenticated || code !== 'UNAUTHENTICATED',
    );
    const statuses = [...new Set(possible.map((code) => ERRORS[code].http))].sort((a, b) => a - b);
    return Object.fromEntries(statuses.map((status) => [status, this.#reference(status, form)]));
  }

  /** The schema of a failure in this form. */
  schema(form: FailureForm = 'envelope'): JsonSchema {
    return this.#embed(FORMS[form]);
  }

  /** By name, sorted. */
  sorted(): Record<string, unknown> {
    return Object.fromEntries([...this.#responses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #reference(status: number, form: FailureForm): { $ref: string } {
    const name = `${form}.${status}`;
    if (!this.#responses.has(name)) {
      this.#responses.set(name, {
        description: quoted(ALL.filter((code) => ERRORS[code].http === status)),
        ...(HEADERS[status] && { headers: HEADERS[status] }),
        content: { 'application/json': { schema: this.schema(form) } },
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }
}
