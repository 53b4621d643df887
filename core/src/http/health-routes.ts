import type { RouteDescription } from '../route-description.js';

const text = { type: 'string' };

const HEALTH = {
  title: 'Health',
  type: 'object',
  required: ['status', 'server', 'version', 'upstream', 'jwt_verification'],
  properties: {
    status: { type: 'string', const: 'ok' },
    server: text,
    version: text,
    upstream: { type: 'null', description: 'A gateway tells of its service here; a service has none.' },
    jwt_verification: { type: 'string', enum: ['local', 'upstream'] },
  },
};

const READINESS = {
  title: 'Readiness',
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: { type: 'string', enum: ['ready', 'unavailable'] },
    installation: {
      ...text,
      description: 'Id of the database: services over one database show the same. A gateway shows none.',
    },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'status', 'message'],
        properties: {
          name: text,
          status: { type: 'string', enum: ['ok', 'degraded', 'failed'] },
          message: text,
          remedy: { ...text, description: 'What the operator does about it, where the service knows.' },
        },
      },
    },
  },
};

const health = (path: string, id: string): RouteDescription => ({
  id,
  method: 'GET',
  path,
  summary: 'Health',
  description: 'Answers while the process runs, whatever the state of its storage.',
  open: true,
  answers: { 200: { description: 'The process answers.', bodies: [{ schema: HEALTH }] } },
});

/** The routes of mountHealth. */
export const HEALTH_ROUTES: readonly RouteDescription[] = [
  health('/health', 'core.health'),
  health('/api/v1/health', 'core.health.2'),
  {
    id: 'core.ready',
    method: 'GET',
    path: '/ready',
    summary: 'Readiness',
    description: 'The state of the database and of every part that can tell, within two seconds.',
    open: true,
    answers: {
      200: {
        description: 'Every part works, perhaps with less than usual.',
        bodies: [{ schema: READINESS }],
      },
      503: { description: 'A part has failed.', bodies: [{ schema: READINESS }] },
    },
  },
  {
    id: 'core.metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics',
    description: 'Open on a loopback deployment; elsewhere it needs a key with the scope `metrics:read`.',
    answers: {
      200: { description: 'Prometheus text.', bodies: [{ type: 'text/plain', schema: { type: 'string' } }] },
    },
    failures: ['INVALID_ARGUMENT', 'UNAUTHENTICATED', 'RATE_LIMITED', 'DEADLINE_EXCEEDED'],
  },
];
