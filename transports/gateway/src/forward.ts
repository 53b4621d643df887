import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { ServiceError } from '@service-mcp/core';
import {
  challengeFor,
  checkJsonType,
  failureOf,
  isLinesType,
  parseJson,
  restBeforeClose,
  type HttpBase,
} from '@service-mcp/core/http';
import { readJsonText, readRpc } from '@service-mcp/core/wire';
import { MCP_PATHS, WELL_KNOWN } from '@service-mcp/plugin-auth/contract';
import type { Context } from 'koa';
import { answerFailure, requestOf, type Format } from './answers.js';
import type { createGate } from './credentials.js';
import type { GatewaySettings } from './settings.js';
import type { Upstream } from './upstream.js';

/** The largest body of any tool, and of one that is read before it is sent, so that a failure can be answered by its id. */
const MAX_BODY = 16 * 1024 * 1024;
const SMALL_BODY = 1024 * 1024;

/** Headers of one connection (RFC 9110, 7.6.1), and those that say something about the gateway's own address. */
const OF_CONNECTION =
  'connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade';
const OF_GATEWAY =
  'expect|host|cookie|origin|referer|forwarded|x-forwarded-host|x-forwarded-proto|via|x-real-ip';
const NOT_FORWARDED = new Set(`${OF_CONNECTION}|${OF_GATEWAY}`.split('|'));
const NOT_RETURNED = new RegExp(`^(?:${OF_CONNECTION}|date|set-cookie|access-control-.*)$`);

interface Parts {
  readonly http: HttpBase;
  readonly upstream: Upstream;
  readonly settings: GatewaySettings;
  readonly gate: ReturnType<typeof createGate>;
  readonly observe: (seconds: number, labels: { readonly route: string; readonly status: string }) => void;
}

/** Forwards the MCP endpoints and `/api/v1` to the service as they are, both ways while the bytes come. */
export function mountForwarding({ http, upstream, settings, gate, observe }: Parts): void {
  const { base, version } = settings;
  const about = { base, version, answersAlone: !settings.upstream.require_auth };
  const metadata = () => `resource_metadata="${http.origins().mcp}${WELL_KNOWN}/oauth-protected-resource"`;

  const forwarder = (route: string) => async (ctx: Context) => {
    const { req, res, method } = ctx;
    const { forwarded, requestId } = ctx.state as { forwarded: boolean; requestId: string };
    const startedAt = performance.now();
    const format = formatOf(ctx.path.toLowerCase().replace(/\/$/, ''));
    let body: Buffer | Transform | null | undefined;
    const request = () =>
      requestOf(format, ctx.path, body instanceof Buffer ? readJsonText(body.toString()) : undefined);
    // undici takes an emitter for a signal, at a tenth of the cost of an AbortSignal.
    const leaving = Object.assign(new EventEmitter(), { aborted: res.destroyed });
    res.once('close', () => {
      observe((performance.now() - startedAt) / 1000, { route, status: String(res.statusCode) });
      leaving.aborted = !res.writableFinished;
      if (leaving.aborted) leaving.emit('abort');
    });
    try {
      refuseDots(ctx.path);
      const added = await gate(req.headers, { address: http.peer(ctx), forwarded }, upstream);
      const chosen = selectionHeaders(settings, ctx, route);
      const headers = { ...forwardedHeaders(req.headers), ...chosen, ...added, 'x-request-id': requestId };
      body = await bodyOf(http, ctx, upstream.wasUp === true);
      if (!upstream.wasUp && format === 'rpc') refuseGarbage(req.headers, body);
      const path = req.url ?? '/';
      const answer = await upstream.send({ method, path, headers, body, signal: leaving });
      ctx.respond = false;
      for (const [name, value = ''] of Object.entries(answer.headers)) {
        if (name === 'vary') ctx.vary(String(value));
        else if (name === 'www-authenticate')
          res.setHeader(name, challengeFor(ctx, String(value).replace(METADATA, metadata)));
        else if (!NOT_RETURNED.test(name)) res.setHeader(name, value);
      }
      res.writeHead(answer.statusCode);
      if (String(answer.headers['content-type']).startsWith('text/event-stream')) res.flushHeaders();
      const end = () => void restBeforeClose(req, res).then(() => res.end());
      // A cut answer must not look complete.
      answer.body
        .on('error', () => res.destroy())
        .on('end', end)
        .pipe(res, { end: false });
    } catch (thrown) {
      req.resume(); // let the client finish sending, so that it reads the answer
      if (format === 'rest' || res.destroyed) throw thrown;
      const error = failureOf(http, ctx, format, thrown);
      Object.assign(ctx, answerFailure(error, format, request(), about)); // status and body
    }
  };

  http.formatFailures((error, path) => {
    const format = formatOf(path);
    return format === 'rest' ? undefined : answerFailure(error, format, {}, about).body;
  });
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  http.openToLoopback(...MCP_PATHS);
  for (const path of MCP_PATHS) http.router.register(path, methods, forwarder(path));
  http.router.register('/api/v1/{*rest}', methods, forwarder('/api/v1'));
}

const METADATA = /resource_metadata="[^"]*"/;

function formatOf(path: string): Format {
  if (MCP_PATHS.some((each) => each === path)) return 'mcp';
  if (path === '/api/v1/rpc') return 'rpc';
  return /^\/api\/v1\/(?:initialize|stream|tools\/[^/]+)$/.test(path) ? 'plain' : 'rest';
}

/** A path that climbs means another address to a proxy before the service, which would get the gateway's key. */
function refuseDots(path: string): void {
  if (/(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:\/|\\|%2f|%5c|$)/i.test(path))
    throw new ServiceError('INVALID_REQUEST', 'Ask for a path without "." and ".." in it.');
}

function forwardedHeaders(given: IncomingHttpHeaders): Record<string, string | string[]> {
  const listed = (given.connection ?? '').toLowerCase().split(',');
  const named = new Set(listed.map((name) => name.trim()));
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !NOT_FORWARDED.has(name) && !named.has(name)) headers[name] = value;
  return headers;
}

/** The operator's choice of tools: read-only mode for every request, toolsets for one that selects none itself. */
export function selectionHeaders(
  { upstream: { toolsets, read_only: readOnly } }: Pick<GatewaySettings, 'upstream'>,
  ctx?: Context,
  route?: string,
): Record<string, string> {
  const asks = ctx?.headers['x-service-toolset'] !== undefined || ctx?.query['toolset'] !== undefined;
  const showsAll = MCP_PATHS.some((path) => path !== '/mcp' && path === route);
  return {
    ...(toolsets.length > 0 && !asks && !showsAll && { 'x-service-toolset': toolsets.join(',') }),
    ...(readOnly && { 'x-service-readonly': 'true' }),
  };
}

/**
 * The body: read whole where it is small, and a larger one too while the service is away; else as a stream of at most
 * 16 MiB. Lines of JSON are a stream without a limit: the service limits each line.
 */
async function bodyOf(http: HttpBase, ctx: Context, isUp: boolean): Promise<Buffer | Transform | null> {
  const { req } = ctx;
  const isChunked = req.headers['transfer-encoding'] !== undefined;
  const length = isChunked ? Infinity : Number(req.headers['content-length'] ?? 0);
  if (length === 0) return null;
  const limit = isLinesType(req.headers['content-type']) ? Infinity : MAX_BODY;
  const isStreamed = limit === Infinity || (isUp && length > SMALL_BODY && (length <= limit || isChunked));
  if (!isStreamed) return http.readBody(ctx, length <= SMALL_BODY ? SMALL_BODY : MAX_BODY);
  let size = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      const message = `The body is over ${limit} bytes. Send less at a time.`;
      done(size > limit ? new ServiceError('PAYLOAD_TOO_LARGE', message) : null, chunk);
    },
  });
  // Once nobody takes more of it, after an early answer, the rest is dropped: the client can finish.
  return req.pipe(body).once('close', () => req.resume());
}

/** Throws what the service would throw for a body that is not a JSON-RPC request. */
function refuseGarbage(headers: IncomingHttpHeaders, body: Buffer | Transform | null): void {
  if (body) checkJsonType(headers);
  readRpc(body instanceof Buffer ? parseJson(body) : undefined);
}
