import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Next } from 'koa';
import type { RecordStore, Consumption } from './record-store.js';

/** How long a repeated refresh gets the same reply. */
export const GRACE_MS = 60_000;

const MODEL = 'RefreshToken';
const REPLY_POLL_MS = 40;
const REPLY_TIMEOUT_MS = 5000;

/** A request to the token endpoint. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

export function recentlyConsumed(consumedAt: number | undefined, now: number): boolean {
  return consumedAt !== undefined && now - consumedAt < GRACE_MS;
}

/**
 * Answers a refresh for clients that share one refresh token: exactly one rotation happens, and identical requests
 * within the grace time get the same reply. The stored reply is encrypted with the consumed token, which only the
 * clients have, so that the database alone does not reveal it. `next` rotates.
 */
export async function answerRefresh(ctx: Context, next: Next, request: TokenRequest, records: RecordStore) {
  const refreshToken = request.form.get('refresh_token') ?? '';
  const isRecent = (consumption: Consumption | undefined) =>
    recentlyConsumed(consumption?.consumedAt, records.now());

  if (!isRecent(await records.find(MODEL, refreshToken))) {
    await next();
    if (ctx.status === 200) {
      await records.saveReply(MODEL, refreshToken, seal(JSON.stringify(ctx.body), refreshToken, request));
      return;
    }
    if (!isRecent(await records.find(MODEL, refreshToken))) return;
  }
  const reply = await waitForReply(refreshToken, request, records);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = reply ? 200 : 400;
  ctx.body = reply ?? { error: 'invalid_grant', error_description: 'grant request is invalid' };
}

async function waitForReply(refreshToken: string, request: TokenRequest, records: RecordStore) {
  for (let waited = 0; waited < REPLY_TIMEOUT_MS; waited += REPLY_POLL_MS) {
    const consumption = await records.find(MODEL, refreshToken);
    if (!consumption) return undefined;
    if (consumption.reply !== undefined) return open(consumption.reply, refreshToken, request);
    await wait(REPLY_POLL_MS);
  }
  return undefined;
}

function seal(reply: string, refreshToken: string, request: TokenRequest): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(refreshToken), nonce).setAAD(fingerprint(request));
  const sealed = Buffer.concat([cipher.update(reply, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined when the request has another client or body. */
function open(
  sealed: string,
  refreshToken: string,
  request: TokenRequest,
): Record<string, unknown> | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(refreshToken), bytes.subarray(0, 12), {
    authTagLength: 16,
  })
    .setAAD(fingerprint(request))
    .setAuthTag(bytes.subarray(12, 28));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function keyOf(refreshToken: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', refreshToken, '', 'service-mcp refresh reply', 32));
}

/** Digest of the request, independent of the order of its fields. */
function fingerprint({ form, authorization }: TokenRequest): Buffer {
  const fields = [...form].map((field) => JSON.stringify(field)).sort();
  return createHash('sha256')
    .update(JSON.stringify([authorization ?? '', fields]))
    .digest();
}
