import type { EventEmitter } from 'node:events';
import { ServiceError, type Log } from '@service-mcp/core';
import { isRecord, readText, systemCode, timeLimit, within } from '@service-mcp/core/wire';
import { Pool, errors, type Dispatcher } from 'undici';
import { connectionError, foreignResponse, unavailable } from './failures.js';
import type { GatewaySettings } from './settings.js';

/** A request to the service; `path` begins with a slash and goes after the base address. */
export type UpstreamRequest = Pick<Dispatcher.RequestOptions, 'method' | 'body'> & {
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly signal: AbortSignal | EventEmitter;
};

/** Interval of health checks, timeout of one, and how long a caller waits for its outcome. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 2_000;
const STATUS_TIMEOUT_MS = 700;
/** A stream of the service sends a comment each 15 s: silence of this length means a dead connection. */
const SILENCE_MS = 60_000;
/** Codes of connections on which nothing comes. */
const SILENCE = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** The service: requests on kept connections, to its address and no other, and whether it is available. */
export class Upstream {
  readonly base: string;
  readonly #prefix: string;
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  /** The outcome of the last check: is it the service that answers, or does nothing come at all? */
  #isUp: boolean | undefined;
  #isSilent: boolean | undefined;
  #probing: Promise<void> | undefined;
  #rejectsUntil = 0;
  #closed = false;

  constructor({ base, upstream }: GatewaySettings, log: Log) {
    const { origin } = new URL(base);
    const { connect_timeout_ms: timeout, answer_timeout_ms: headersTimeout } = upstream;
    this.base = base;
    this.#log = log;
    this.#prefix = base.slice(origin.length);
    const bodyTimeout = Math.max(headersTimeout, SILENCE_MS);
    this.#pool = new Pool(origin, { connect: { timeout }, headersTimeout, bodyTimeout });
    this.#timer = setInterval(() => void this.#probe(), PROBE_INTERVAL_MS).unref();
    void this.#probe();
  }

  /**
   * Resolves to the service's response, whatever its status. Throws a ServiceError without one, or for one of another server:
   * UNAVAILABLE within a second where nothing came in the last check.
   */
  async send({ path, ...request }: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    if (this.#isSilent !== false) await this.isUp();
    // True also where it is not known in time.
    if (this.#isSilent !== false) throw unavailable(this.base, 'it does not respond');
    const response = await this.#pool
      .request({ ...request, path: this.#prefix + path })
      .catch((thrown: unknown) => {
        if (!(thrown instanceof errors.RequestAbortedError)) void this.#probe();
        throw connectionError(this.base, thrown);
      });
    const foreign = foreignResponse(this.base, response.statusCode, response.headers);
    if (!foreign) return response;
    response.body.on('error', () => undefined).destroy();
    throw foreign;
  }

  /** Does the service reject a bad credential, as last seen? Without accounts it takes any. Throws as `send` does. */
  async rejectsCredentials(): Promise<boolean> {
    if (performance.now() < this.#rejectsUntil) return true;
    const headers = { 'x-service-api-key': 'the-key-of-nobody' };
    const signal = timeLimit(PROBE_TIMEOUT_MS);
    const status = await this.send({ method: 'HEAD', path: '/mcp', headers, signal }).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode),
      (thrown: unknown) => {
        if (thrown instanceof ServiceError && thrown.code === 'UNAUTHENTICATED') return 401; // of a proxy
        throw thrown;
      },
    );
    // Callers with bad keys, whose address is that of this gateway, may use up a limit of the service.
    const rejects = status === 401 || (status === 429 && this.#rejectsUntil > 0);
    if (!rejects && (status === 429 || status >= 500))
      throw unavailable(this.base, `it responds with HTTP ${status}`);
    this.#rejectsUntil = rejects ? performance.now() + PROBE_INTERVAL_MS : 0;
    return rejects;
  }

  /** Does the service answer? Known within 0.7 s: from the last check where a new one takes longer. */
  async isUp(): Promise<boolean> {
    await within(STATUS_TIMEOUT_MS, this.#probe());
    return this.#isUp ?? false;
  }

  /** The outcome of the last check. */
  get wasUp(): boolean | undefined {
    return this.#isUp;
  }

  /** A JSON document of the service. Throws where there is none. */
  async readJson(path: string): Promise<unknown> {
    const limits = { headersTimeout: PROBE_TIMEOUT_MS, bodyTimeout: PROBE_TIMEOUT_MS };
    const response = await this.#pool.request({ method: 'GET', path: this.#prefix + path, ...limits });
    const { statusCode, body } = response;
    if (statusCode === 200) return JSON.parse(await readText(body, MAX_DOCUMENT_BYTES));
    body.on('error', () => undefined).destroy();
    throw new Error(`HTTP ${statusCode}`);
  }

  /** Ends every request with `reason`. */
  async close(reason: ServiceError): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    await this.#pool.destroy(reason);
  }

  /** Checks now; one check at a time for all callers. */
  #probe(): Promise<void> {
    return (this.#probing ??= this.readJson('/health')
      .then(
        (health) => this.#note(isRecord(health) && health['server'] === 'service-mcp', false),
        (thrown: unknown) => this.#note(false, SILENCE.has(systemCode(thrown) ?? '')),
      )
      .finally(() => (this.#probing = undefined)));
  }

  #note(isUp: boolean, isSilent: boolean): void {
    this.#isSilent = isSilent;
    if (this.#closed || isUp === this.#isUp) return;
    this.#isUp = isUp;
    const upstream = { upstream: this.base };
    if (isUp) this.#log.info(upstream, 'the service is available');
    else this.#log.warn(upstream, 'the service is unavailable; calls fail with UNAVAILABLE until it is back');
  }
}
