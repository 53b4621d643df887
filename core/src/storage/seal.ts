import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import type { Seal } from '../seal.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A seal with a key of this process alone, unless one is given. */
export function createSeal(key: Buffer = randomBytes(KEY_BYTES)): Seal {
  return {
    seal(text, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined; // changed, or sealed for something else
      }
    },
  };
}

/** The seal of a deployment, the same on every replica: its key lies in the database. */
export async function openSeal(database: Database): Promise<Seal> {
  const name = 'seal_key';
  const fresh = randomBytes(KEY_BYTES).toString('base64url');
  await database.sql('deployment_values').insert({ name, value: fresh }).onConflict('name').ignore();
  const row = (await database.sql('deployment_values').where({ name }).first('value')) as { value: string };
  return createSeal(Buffer.from(row.value, 'base64url'));
}
