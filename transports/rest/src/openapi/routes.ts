import type { RouteDescription } from '@service-mcp/core';

/** The routes of this transport that belong to no tool. */
export const ROUTES: readonly RouteDescription[] = [
  {
    id: 'rest.openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'OpenAPI 3.1 of every route.',
    open: true,
    answers: {
      200: {
        description: 'The document.',
        bodies: [{ schema: { type: 'object', additionalProperties: true } }],
      },
      304: { description: 'The client has it: its If-None-Match names it.' },
    },
  },
  {
    id: 'rest.docs',
    method: 'GET',
    path: '/docs',
    summary: 'API page',
    description: 'A page to read and try every operation.',
    open: true,
    answers: {
      200: { description: 'The page.', bodies: [{ type: 'text/html', schema: { type: 'string' } }] },
    },
  },
];
