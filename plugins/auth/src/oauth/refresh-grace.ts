import { hash, hkdfSync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '@service-mcp/core';
import { CompactEncrypt, compactDecrypt } from 'jose';
import type { Context, Next } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Grants } from './grant-store.js';
import type { RecordStore, Consumption } from './record-store.js';

/** Time in which a repeated refresh gets the same reply. */
export const GRACE_MS = 60_000;

const MODEL = 'RefreshToken';
const REPLY_POLL_MS = 40;
const REPLY_TIMEOUT_MS = 5000;

/** A request to the token endpoint, or the revocation endpoint. */
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
export async function answerRefresh(
  ctx: Context,
  next: Next,
  request: TokenRequest,
  { records, log }: { readonly records: RecordStore; readonly log: Log },
): Promise<void> {
  const refreshToken = request.form.get('refresh_token') ?? '';
  const isRecent = (consumption: Consumption | undefined) =>
    recentlyConsumed(consumption?.consumedAt, records.now());

  if (!isRecent(await records.find(MODEL, refreshToken))) {
    await next();
    if (ctx.status === 200) {
      // The old token is consumed: without the new ones the client would lose its connection.
      await encryptReply(ctx.body, refreshToken, request)
        .then((reply) => records.saveReply(MODEL, refreshToken, reply))
        .catch((err: unknown) => log.warn({ err }, 'storing the reply to a refresh failed'));
      return;
    }
    if (!isRecent(await records.find(MODEL, refreshToken))) return;
  }
  const reply = await waitForReply(refreshToken, request, records);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = reply ? 200 : 400;
  ctx.body = reply ?? { error: 'invalid_grant', error_description: 'grant request is invalid' };
}

/**
 * Answers a revocation. `next` fails for a token that was rotated a moment ago, which the adapter hides from it; whoever
 * still has that one logs out with it all the same.
 */
export async function answerRevocation(
  ctx: Context,
  next: Next,
  { form }: TokenRequest,
  { records, grants }: { readonly records: RecordStore; readonly grants: Grants },
): Promise<void> {
  await next();
  // Any other fault of a client that was authenticated has another code.
  if (ctx.status !== 400 || (ctx.body as { error?: unknown }).error !== 'invalid_grant') return;
  const found = await records.find(MODEL, form.get('token') ?? '');
  const { clientId, grantId } = found?.payload ?? {};
  const { client } = (ctx as unknown as KoaContextWithOIDC).oidc; // the library's own context
  if (grantId !== undefined && clientId === client?.clientId) await grants.remove(grantId);
  ctx.status = 200;
  ctx.body = '';
}

async function waitForReply(refreshToken: string, request: TokenRequest, records: RecordStore) {
  for (let waited = 0; waited < REPLY_TIMEOUT_MS; waited += REPLY_POLL_MS) {
    const consumption = await records.find(MODEL, refreshToken);
    if (!consumption) return undefined;
    if (consumption.reply !== undefined) return decryptReply(consumption.reply, refreshToken, request);
    await wait(REPLY_POLL_MS);
  }
  return undefined;
}

function encryptReply(reply: unknown, refreshToken: string, request: TokenRequest): Promise<string> {
  return new CompactEncrypt(Buffer.from(JSON.stringify(reply)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(refreshToken, request));
}

/** Undefined when the request has another client or body. */
async function decryptReply(
  encrypted: string,
  refreshToken: string,
  request: TokenRequest,
): Promise<Record<string, unknown> | undefined> {
  const reply = await compactDecrypt(encrypted, keyOf(refreshToken, request)).catch(() => undefined);
  return reply && (JSON.parse(Buffer.from(reply.plaintext).toString('utf8')) as Record<string, unknown>);
}

/** Key for the reply to one request, independent of the order of its fields. */
function keyOf(refreshToken: string, { form, authorization }: TokenRequest): Uint8Array {
  const fields = [...form].map((field) => JSON.stringify(field)).sort();
  const fingerprint = hash('sha256', JSON.stringify([authorization ?? '', fields]), 'buffer');
  return new Uint8Array(hkdfSync('sha256', refreshToken, fingerprint, 'service-mcp refresh reply', 32));
}
