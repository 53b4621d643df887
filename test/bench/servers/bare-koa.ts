import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Koa, { type Context } from 'koa';
import getRawBody from 'raw-body';
import { echo, EchoInput, type Echo } from './echo.js';
import { serveParent } from './parent.js';

/** The least one would write by hand: Koa, a route, a validated input, the same handler, bare JSON out. */
const ajv = new Ajv2020({ useDefaults: true, coerceTypes: true });
const isEcho = ajv.compile<Echo>(EchoInput);

async function answer(ctx: Context, input: unknown): Promise<void> {
  if (!isEcho(input)) ctx.throw(400, ajv.errorsText(isEcho.errors));
  ctx.body = await echo(input);
}

const router = new Router();
router.post('/v1/bench/echo', async (ctx) => {
  const body = await getRawBody(ctx.req, { length: ctx.headers['content-length'] ?? null, limit: '1mb' });
  await answer(ctx, JSON.parse(body.toString('utf8')));
});
router.get('/v1/bench/peek', (ctx) => answer(ctx, { ...ctx.query }));

const app = new Koa();
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => {
  serveParent((server.address() as AddressInfo).port, () => server.closeAllConnections());
});
