import { ERRORS, type ErrorCode } from '@service-mcp/core';

const codes = Object.keys(ERRORS) as ErrorCode[];
const byStatus = codes.map((code) => `- \`${code}\`: ${ERRORS[code].http}`).join('\n');

/** `metadata` of the envelope (interface.md 2). */
export const METADATA_SCHEMA = {
  type: 'object',
  required: ['request_id', 'timestamp', 'duration_ms', 'version'],
  properties: {
    request_id: { type: 'string', description: 'Echoes a valid X-Request-Id of the request, else a new id.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When the answer was made, in UTC.' },
    duration_ms: { type: 'integer', minimum: 0, description: 'Time spent on the request, in milliseconds.' },
    version: { type: 'string', description: 'The version of the service.' },
  },
};

/** The envelope of a failure: every code of the table. */
export const FAILURE_SCHEMA = {
  type: 'object',
  required: ['success', 'data', 'error', 'metadata'],
  properties: {
    success: { type: 'boolean', const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          enum: codes,
          description: `The code, with the HTTP status it comes with:\n\n${byStatus}`,
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
    },
    metadata: { $ref: '#/components/schemas/Metadata' },
  },
};

export const FAILURE_RESPONSE = {
  description: 'A failure. The HTTP status is that of the code.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

/** The ways to send a credential (interface.md 5). */
export const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
  serviceApiKey: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key', description: 'An API key.' },
};

/** Any one of the schemes. */
export const SECURITY = [{ bearer: [] }, { serviceApiKey: [] }, { apiKey: [] }];
