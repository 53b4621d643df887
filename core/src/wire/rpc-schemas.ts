import { ERRORS, type ErrorCode } from '../errors.js';
import type { JsonSchema } from '../tool.js';

const codes = Object.keys(ERRORS);
const ANY_OBJECT = { type: 'object', additionalProperties: true };
const ID = { type: ['string', 'integer'] };
const VERSION = { type: 'string', const: '2.0' };

/** A JSON-RPC request, or a notification where it has no id. */
export const JSON_RPC_REQUEST: JsonSchema = {
  title: 'JsonRpcRequest',
  type: 'object',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: VERSION,
    id: { ...ID, description: 'Left out of a notification, which gets no response.' },
    method: { type: 'string' },
    params: ANY_OBJECT,
  },
};

/** `data` is absent where the error is the protocol's own. */
export const JSON_RPC_FAILURE: JsonSchema = {
  title: 'JsonRpcFailure',
  type: 'object',
  required: ['jsonrpc', 'error'],
  properties: {
    jsonrpc: VERSION,
    id: { type: ['string', 'number', 'null'], description: 'Null where the id of the request is unknown.' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        data: {
          type: 'object',
          properties: {
            code: { type: 'string', enum: codes, description: 'The code of the error table.' },
            details: ANY_OBJECT,
          },
        },
      },
    },
  },
};

export const JSON_RPC_RESULT: JsonSchema = {
  title: 'JsonRpcResult',
  type: 'object',
  required: ['jsonrpc', 'id', 'result'],
  properties: { jsonrpc: VERSION, id: { type: ['string', 'number', 'null'] }, result: ANY_OBJECT },
};

/** The header that names a session. */
export const SESSION_HEADER = 'Mcp-Session-Id';

/** {@link SESSION_HEADER} of a route, for OpenAPI. */
export const SESSION_PARAMETER = {
  name: SESSION_HEADER,
  in: 'header',
  description: 'The session that initialize opened, where the client has one.',
  schema: { type: 'string' },
} as const;

/** Failures that every route of a call can give, and those of a route that reads a body. */
export const CALL_FAILURES: readonly ErrorCode[] = [
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'DEADLINE_EXCEEDED',
];
export const BODY_FAILURES: readonly ErrorCode[] = [
  'PARSE_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** The ways to narrow the tools of a request. */
export const SELECTION_PARAMETERS = [
  {
    name: 'toolset',
    in: 'query',
    description: 'Levels, toolsets or tools, separated by commas: only these are listed and called.',
    schema: { type: 'string' },
  },
  {
    name: 'readonly',
    in: 'query',
    description: 'True leaves only tools that read.',
    schema: { type: 'boolean' },
  },
] as const;
