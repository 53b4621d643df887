import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { ServiceError, bodyTooLarge } from '../errors.js';
import { withoutByteOrderMark } from '../wire/json-text.js';
import type { BodyBudget } from './body-budget.js';
import type { RequestState } from './call.js';

/** How long a body of at most 1 MiB may take, and a larger one: 16 MiB over a slow line. */
const SMALL_BODY = 1024 * 1024;
const SMALL_BODY_TIMEOUT_MS = 30_000;
const LARGE_BODY_TIMEOUT_MS = 120_000;
/** How long the rest of a body may take that was not read when the answer was sent. */
const REST_OF_BODY_TIMEOUT_MS = 10_000;

/** Reads a JSON body of at most `limit` bytes; see HttpMount.readJson. */
export async function readJson(ctx: Context, limit: number, budget: BodyBudget): Promise<unknown> {
  const { headers } = ctx;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0')
    return undefined;
  checkJsonType(headers);
  const body = await readBody(ctx, limit, budget);
  return body.length === 0 ? undefined : parseJson(body); // chunks tell only at their end that there are none
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a body that is not JSON by its head. */
export function checkJsonType(headers: IncomingHttpHeaders): void {
  const { 'content-type': given = '' } = headers;
  if (given === 'application/json') return; // as most clients write it
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with the header Content-Type: application/json.',
    );
  }
}

/** Ignores a byte order mark. Throws PARSE_ERROR. */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ServiceError('PARSE_ERROR', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(withoutByteOrderMark(body.toString('utf8'))) as unknown;
  } catch (error) {
    throw new ServiceError('PARSE_ERROR', 'The body is not valid JSON.', { cause: error });
  }
}

/** The body where all of it came with its head, as most do; undefined otherwise. */
function arrived(req: IncomingMessage, limit: number): Buffer | undefined {
  const { readableLength, headers } = req;
  if (readableLength === 0 || readableLength > limit || headers['content-encoding'] !== undefined)
    return undefined;
  return readableLength === Number(headers['content-length']) ? (req.read() as Buffer) : undefined; // no encoding is set: bytes
}

/** Reads a body of at most `limit` bytes; see HttpMount.readBody. Its call learns how many it has. */
export async function readBody(ctx: Context, limit: number, budget: BodyBudget): Promise<Buffer> {
  const body = arrived(ctx.req, limit) ?? (await receive(ctx, limit, budget));
  (ctx.state as RequestState).bodyBytes = body.length;
  return body;
}

async function receive(ctx: Context, limit: number, budget: BodyBudget): Promise<Buffer> {
  const { req, res } = ctx;
  const { headers } = req;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding.');
  }
  const { principal, peer, deadline } = ctx.state as RequestState;
  const timeoutMs = limit > SMALL_BODY ? LARGE_BODY_TIMEOUT_MS : SMALL_BODY_TIMEOUT_MS;
  deadline?.extend(timeoutMs); // a slow line does not take the call's own time
  try {
    if (Number(headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
    const reading = collect(req, limit, budget.open(principal ?? peer, res));
    const body = await inTime(reading, timeoutMs);
    deadline?.restart();
    return body;
  } catch (error) {
    if (!(error instanceof ServiceError))
      throw new ServiceError('INVALID_REQUEST', 'The body did not arrive whole. Send it again.', {
        cause: error,
      });
    if (error.code === 'DEADLINE_EXCEEDED') ctx.set('Connection', 'close'); // the rest of the body is not read
    else req.resume(); // let the client finish sending, so that it reads the answer
    throw error;
  }
}

/** The bytes of a body, each chunk of which is counted. What is left of one that is refused stays in the stream. */
async function collect(req: IncomingMessage, limit: number, count: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw bodyTooLarge(limit);
    count(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses a body that dribbles: its sender would hold a connection and a handler for as long as they like. */
async function inTime(reading: Promise<Buffer>, timeoutMs: number): Promise<Buffer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reading.catch(() => undefined); // it ends with the connection
      const message = `The body did not arrive within ${timeoutMs / 1000} s. Send it again, all at once.`;
      reject(new ServiceError('DEADLINE_EXCEEDED', message));
    }, timeoutMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the rest of a body before the answer, for a while, where Node closes the connection after it: closed with
 * unread bytes, a connection is reset, and a client that still sends never reads the answer.
 */
export async function drainBeforeClose({ req, res, respond }: Context): Promise<void> {
  if (!res.headersSent && respond !== false && !res.hasHeader('Connection')) await restBeforeClose(req, res);
}

/**
 * Resolves once the body of a request has come, or after ten seconds; at once for a connection that stays open. Where
 * nothing else reads the body, the rest is dropped. To be awaited before the end of an answer.
 */
export async function restBeforeClose(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.complete || req.destroyed || res.shouldKeepAlive) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, REST_OF_BODY_TIMEOUT_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    req.once('end', done).once('close', done).resume();
  });
}

/** Ends a connection whose body goes on after the answer: nothing reads it, so no other limit holds. */
export function limitUnreadBody({ req, res }: Context): void {
  if (req.complete) return;
  const start = (): void => {
    if (req.complete || req.destroyed) return;
    const timer = setTimeout(() => {
      if (!req.complete) req.destroy(); // a connection with later requests by now
    }, REST_OF_BODY_TIMEOUT_MS).unref();
    req.once('close', () => clearTimeout(timer));
  };
  // Node parses the end of a body after its last bytes: a quick handler has answered before.
  if (res.writableFinished) setImmediate(start);
  else res.once('finish', () => setImmediate(start));
}
