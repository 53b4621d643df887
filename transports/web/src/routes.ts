import type { RouteDescription } from '@service-mcp/core';

/** The address of the dashboard. Every path below it is a deep link. */
export const ROUTES: readonly RouteDescription[] = [
  {
    id: 'web.dashboard',
    method: 'GET',
    path: '/app',
    summary: 'Dashboard',
    description: 'The pages of the dashboard. Every path below is a deep link into them.',
    open: true,
    answers: {
      308: {
        description: 'To the same address with a slash at its end.',
        bodies: ['text/html', 'text/plain'].map((type) => ({ type, schema: { type: 'string' } })),
      },
      200: { description: 'The page.', bodies: [{ type: 'text/html', schema: { type: 'string' } }] },
    },
  },
];
