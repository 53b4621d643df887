import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Next } from 'koa';
import type { RecordStore, Spent } from './record-store.js';

/** How long a refresh that is asked again gets the same answer. */
export const GRACE_MS = 60_000;

const MODEL = 'RefreshToken';
const LOOK_MS = 40;
const LONGEST_WAIT_MS = 5000;

/** A form sent to the token endpoint, as far as it says what is asked and by whom. */
export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

export function recentlySpent(consumedAt: number | undefined, now: number): boolean {
  return consumedAt !== undefined && now - consumedAt < GRACE_MS;
}

/**
 * Answers a refresh so that processes that share one refresh token all live: exactly one rotation happens, and whoever
 * asks the same within the window gets its reply. The reply is kept sealed under the spent token, which only its
 * holders have: the database alone does not reveal it. `next` rotates.
 */
export async function answerRefresh(ctx: Context, next: Next, request: TokenRequest, records: RecordStore) {
  const presented = request.form.get('refresh_token') ?? '';
  const isRecent = (spent: Spent | undefined) => recentlySpent(spent?.consumedAt, records.now);

  if (!isRecent(await records.find(MODEL, presented))) {
    await next();
    if (ctx.status === 200) {
      await records.keepReply(MODEL, presented, seal(JSON.stringify(ctx.body), presented, request));
      return;
    }
    if (!isRecent(await records.find(MODEL, presented))) return;
  }
  const reply = await replyOfWinner(presented, request, records);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = reply ? 200 : 400;
  ctx.body = reply ?? { error: 'invalid_grant', error_description: 'grant request is invalid' };
}

async function replyOfWinner(presented: string, request: TokenRequest, records: RecordStore) {
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += LOOK_MS) {
    const spent = await records.find(MODEL, presented);
    if (!spent) return undefined;
    if (spent.reply !== undefined) return open(spent.reply, presented, request);
    await wait(LOOK_MS);
  }
  return undefined;
}

function seal(reply: string, presented: string, request: TokenRequest): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(presented), nonce).setAAD(fingerprint(request));
  const sealed = Buffer.concat([cipher.update(reply, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Undefined where another client or another body asks. */
function open(sealed: string, presented: string, request: TokenRequest): Record<string, unknown> | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(presented), bytes.subarray(0, 12), {
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

function keyOf(presented: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', presented, '', 'service-mcp refresh reply', 32));
}

/** Of everything that was asked, whatever the order of the fields. */
function fingerprint({ form, authorization }: TokenRequest): Buffer {
  const fields = [...form].map((field) => JSON.stringify(field)).sort();
  return createHash('sha256')
    .update(JSON.stringify([authorization ?? '', fields]))
    .digest();
}
