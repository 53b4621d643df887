import { randomBytes } from 'node:crypto';
import { token, type Clock, type Database } from '@service-mcp/core';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** One generation of the authorization server's keys, for ID tokens and for cookies. */
export interface KeyGeneration {
  readonly generation: number;
  readonly jwk: JWK;
  readonly cookieKey: string;
  /** Milliseconds since the epoch; until then the key is only published. */
  readonly signsFrom: number;
}

interface KeyRow {
  readonly generation: number;
  readonly jwk: string;
  readonly cookie_key: string;
  readonly signs_from: number | string;
}

/** How long a new key is published before it signs, so that every process and client has loaded it. */
export const SETTLE_MS = 2 * 60_000;
/** How long an old key stays published: longer than ID tokens and interactions are valid. */
const RETIRE_MS = 2 * 60 * 60_000;

/** The keys in the database, created by the first process that needs them. */
export class SigningKeyStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The published keys; the first one signs. */
  async current(): Promise<readonly KeyGeneration[]> {
    let all = await this.#all();
    if (all.length === 0) {
      await this.#add(1, this.#now);
      all = await this.#all();
    }
    const signer = this.#signer(all);
    return [signer, ...all.filter((key) => key !== signer)];
  }

  /** Publishes a new generation, which signs after two minutes. Returns its number. */
  async rotate(): Promise<number> {
    const newest = (await this.current()).reduce((most, { generation }) => Math.max(most, generation), 0);
    await this.#add(newest + 1, this.#now + SETTLE_MS);
    return newest + 1;
  }

  /** Rotates keys older than `days`, and deletes retired ones. */
  async maintain(days: number): Promise<void> {
    const all = await this.#all();
    const newest = all.at(-1);
    if (!newest) return;
    // A fixed number, so that concurrent processes add the same generation.
    if (newest.signsFrom + days * 24 * 60 * 60_000 <= this.#now)
      await this.#add(newest.generation + 1, this.#now + SETTLE_MS);
    const signer = this.#signer(all);
    if (signer.signsFrom + RETIRE_MS <= this.#now)
      await this.#database.sql('oauth_keys').where('generation', '<', signer.generation).delete();
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }

  #signer(all: readonly KeyGeneration[]): KeyGeneration {
    const signer = all.findLast(({ signsFrom }) => signsFrom <= this.#now) ?? all[0];
    if (!signer) throw new Error('the authorization server has no keys');
    return signer;
  }

  async #all(): Promise<KeyGeneration[]> {
    const rows = await this.#database.sql<KeyRow>('oauth_keys').orderBy('generation').select();
    return rows.map((row) => ({
      generation: row.generation,
      jwk: JSON.parse(row.jwk) as JWK,
      cookieKey: row.cookie_key,
      signsFrom: Number(row.signs_from),
    }));
  }

  /** Of several concurrent processes the first one adds the generation. */
  async #add(generation: number, signsFrom: number): Promise<void> {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    await this.#database
      .sql('oauth_keys')
      .insert({
        generation,
        jwk: JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
        cookie_key: randomBytes(32).toString('base64url'),
        signs_from: signsFrom,
      })
      .onConflict('generation')
      .ignore();
  }
}
export const SigningKeys = token<SigningKeyStore>('auth.SigningKeys');
