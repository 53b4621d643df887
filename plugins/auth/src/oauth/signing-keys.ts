import { randomBytes } from 'node:crypto';
import { Clock, Database, Seal, defineWorker, provide, token } from '@service-mcp/core';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { DAY_MS, config } from '../config.js';

/** One generation of the authorization server's keys, for ID tokens and for cookies. */
export interface KeyGeneration {
  readonly generation: number;
  readonly jwk: JWK;
  readonly cookieKey: string;
  /** Milliseconds since the epoch; until then the key is only published. */
  readonly signsFrom: number;
}

/** A row of `oauth_keys`. `jwk` and `cookie_key` are sealed with the key of the deployment. */
interface KeyRow {
  readonly generation: number;
  readonly jwk: string;
  readonly cookie_key: string;
  readonly signs_from: number;
}

/** Time between publication of a key and its first signature: every process and client loads it meanwhile. */
const SETTLE_MS = 2 * 60_000;
/** Time for which an old key stays published: longer than ID tokens and interactions are valid. */
const RETIRE_MS = 2 * 60 * 60_000;

const purpose = (part: 'jwk' | 'cookie', generation: number) => `auth.signing-keys ${part} ${generation}`;
const isSealed = ({ jwk }: KeyRow) => !jwk.startsWith('{');

export type SigningKeys = ReturnType<typeof createSigningKeys>;
export const SigningKeys = token<SigningKeys>('auth.SigningKeys');
export const signingKeys = provide(SigningKeys, {
  uses: { database: Database, clock: Clock, seal: Seal },
  create: createSigningKeys,
});

/** The keys in the database, created by the first process that needs them. */
function createSigningKeys({ database, clock, seal }: { database: Database; clock: Clock; seal: Seal }) {
  const stored = () => database.sql<KeyRow>('oauth_keys');
  const now = () => clock.now().getTime();

  async function findAll(): Promise<KeyGeneration[]> {
    const rows = await stored().orderBy('generation').select();
    return Promise.all(rows.map(async (row) => open(isSealed(row) ? row : await sealStored(row))));
  }
  const sealed = ({ generation, jwk, cookie_key }: Pick<KeyRow, 'generation' | 'jwk' | 'cookie_key'>) => ({
    jwk: seal.seal(jwk, purpose('jwk', generation)),
    cookie_key: seal.seal(cookie_key, purpose('cookie', generation)),
  });
  function open({ generation, jwk, cookie_key, signs_from: signsFrom }: KeyRow): KeyGeneration {
    const text = seal.open(jwk, purpose('jwk', generation));
    const cookieKey = seal.open(cookie_key, purpose('cookie', generation));
    if (text === undefined || cookieKey === undefined)
      throw new Error(
        'the signing keys were sealed by another deployment: restore deployment_values and oauth_keys together, or delete the rows of oauth_keys (which ends logins in progress)',
      );
    return { generation, jwk: JSON.parse(text) as JWK, cookieKey, signsFrom };
  }
  /** Seals a row of a version that stored keys as they are. Of several processes one writes. */
  async function sealStored(row: KeyRow): Promise<KeyRow> {
    const { generation, jwk } = row;
    await stored().where({ generation, jwk }).update(sealed(row));
    return (await stored().where({ generation }).first()) ?? row;
  }
  function signerOf(all: readonly KeyGeneration[]): KeyGeneration {
    const signer = all.findLast(({ signsFrom }) => signsFrom <= now()) ?? all[0];
    if (!signer) throw new Error('the authorization server has no keys');
    return signer;
  }
  /** Adds a generation; of several concurrent processes the first one succeeds. */
  async function add(generation: number, signs_from: number): Promise<void> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    const key = {
      generation,
      jwk: JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
      cookie_key: randomBytes(32).toString('base64url'),
    };
    await stored()
      .insert({ generation, ...sealed(key), signs_from })
      .onConflict('generation')
      .ignore();
  }
  /** The published keys; the first one signs. */
  async function current(): Promise<readonly KeyGeneration[]> {
    let all = await findAll();
    if (all.length === 0) {
      await add(1, now());
      all = await findAll();
    }
    const signer = signerOf(all);
    return [signer, ...all.filter((key) => key !== signer)];
  }

  return {
    current,
    /** Publishes a new generation, which signs after two minutes. Returns its number. */
    async rotate(): Promise<number> {
      const newest = Math.max(...(await current()).map(({ generation }) => generation));
      await add(newest + 1, now() + SETTLE_MS);
      return newest + 1;
    },
    /** Rotates keys older than `days`, and deletes retired ones. */
    async maintain(days: number): Promise<void> {
      const all = await findAll();
      const newest = all.at(-1);
      if (!newest) return;
      // A fixed number, so that concurrent processes add the same generation.
      if (newest.signsFrom + days * DAY_MS <= now()) await add(newest.generation + 1, now() + SETTLE_MS);
      const signer = signerOf(all);
      if (signer.signsFrom + RETIRE_MS <= now())
        await stored().where('generation', '<', signer.generation).delete();
    },
  };
}

/** Rotates the signing keys on schedule, and deletes retired ones. */
export const maintainKeys = defineWorker({
  id: 'auth.oauth.keys',
  uses: { keys: SigningKeys, settings: config.token },
  everyMs: 10 * 60_000,
  exclusive: true,
  async run({ keys, settings }) {
    await keys.maintain(settings.oauth_key_days);
    return { more: false };
  },
});
