import type { AddressInfo } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify, { type FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import { Type } from 'typebox';
import { echo, EchoInput, EchoOutput, type Echo } from './echo.js';
import { serveParent } from './parent.js';

/**
 * What a Fastify service does that gives the same promises: input and output checked by their JSON schemas, a request
 * id, metrics, a rate limit by key, and the envelope, written by a compiled serialiser.
 */
const VERSION = '1.0.0';
const REQUEST_ID = /^[\w.-]{1,128}$/;
const isEchoOutput = new Ajv2020().compile(EchoOutput);
const envelope = Type.Object({
  success: Type.Boolean(),
  data: EchoOutput,
  error: Type.Null(),
  metadata: Type.Object({
    request_id: Type.String(),
    timestamp: Type.String(),
    duration_ms: Type.Integer(),
    version: Type.String(),
  }),
});

const metrics = new Registry();
const calls = new Counter({
  name: 'calls_total',
  help: 'Calls by route and status',
  labelNames: ['route', 'status'] as const,
  registers: [metrics],
});
const duration = new Histogram({
  name: 'call_duration_seconds',
  help: 'Duration of calls by route',
  labelNames: ['route'] as const,
  registers: [metrics],
});

const app = Fastify({
  requestIdHeader: false,
  genReqId: ({ headers: { 'x-request-id': id } }) =>
    typeof id === 'string' && REQUEST_ID.test(id) ? id : crypto.randomUUID(),
  ajv: { customOptions: { removeAdditional: false } },
});
await app.register(rateLimit, {
  max: Number.MAX_SAFE_INTEGER,
  timeWindow: 60_000,
  keyGenerator: ({ headers, ip }) => String(headers['x-api-key'] ?? ip),
});
app.addHook('onRequest', async ({ id }, reply) => {
  reply.header('x-request-id', id);
});
app.addHook('onResponse', async ({ routeOptions: { url: route = '' } }, reply) => {
  calls.inc({ route, status: reply.statusCode });
  duration.observe({ route }, reply.elapsedTime / 1000);
});

async function answer({ id }: FastifyRequest, input: Echo, elapsedMs: number): Promise<object> {
  const data = await echo(input);
  if (!isEchoOutput(data)) throw new Error('the output does not fit its schema');
  const metadata = {
    request_id: id,
    timestamp: new Date().toISOString(),
    duration_ms: Math.round(elapsedMs),
    version: VERSION,
  };
  return { success: true, data, error: null, metadata };
}
const response = { 200: envelope };
app.post<{ Body: Echo }>(
  '/v1/bench/echo',
  { schema: { body: EchoInput, response } },
  (request, { elapsedTime }) => answer(request, request.body, elapsedTime),
);
app.get<{ Querystring: Echo }>(
  '/v1/bench/peek',
  { schema: { querystring: EchoInput, response } },
  (request, { elapsedTime }) => answer(request, request.query, elapsedTime),
);
app.get('/metrics', () => metrics.metrics());

await app.listen({ port: 0, host: '127.0.0.1' });
serveParent((app.server.address() as AddressInfo).port, () => app.close());
