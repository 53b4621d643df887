import { randomBytes } from 'node:crypto';
import { token, type Clock, type Database } from '@service-mcp/core';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** One generation of the keys of the authorization server: what signs ID tokens, and what signs its cookies. */
export interface KeyGeneration {
  readonly generation: number;
  readonly jwk: JWK;
  readonly cookieKey: string;
  /** Milliseconds since the epoch; before it the key is published and does not sign. */
  readonly signsFrom: number;
}

/** A new key is published so long before it signs, so that every process and every client's copy knows it. */
export const SETTLE_MS = 2 * 60_000;
/** An old key is published so long after it last signed: longer than an ID token or an interaction lives. */
const RETIRE_MS = 2 * 60 * 60_000;

/** The keys in the database, made by whichever process needs them first. */
export class SigningKeyStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Those that are published now; the first signs. */
  async current(): Promise<readonly KeyGeneration[]> {
    let all = await this.#all();
    if (all.length === 0) {
      await this.#add(1, this.#now);
      all = await this.#all();
    }
    const signer = this.#signer(all);
    return [signer, ...all.filter((key) => key !== signer)];
  }

  /** Publishes a new generation, which signs two minutes later. Returns its number. */
  async rotate(): Promise<number> {
    const newest = (await this.current()).reduce((most, { generation }) => Math.max(most, generation), 0);
    await this.#add(newest + 1, this.#now + SETTLE_MS);
    return newest + 1;
  }

  /** Rotates keys older than `days`, and drops those whose successor has signed for long enough. */
  async tend(days: number): Promise<void> {
    const all = await this.#all();
    const newest = all.at(-1);
    if (!newest) return;
    // The one after the generation that was seen: another process that saw it too adds the same.
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
    const rows = (await this.#database.sql('oauth_keys').orderBy('generation')) as Array<{
      generation: number;
      jwk: string;
      cookie_key: string;
      signs_from: number | string;
    }>;
    return rows.map((row) => ({
      generation: row.generation,
      jwk: JSON.parse(row.jwk) as JWK,
      cookieKey: row.cookie_key,
      signsFrom: Number(row.signs_from),
    }));
  }

  /** Two processes may try at once: the generation is the first one's. */
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
