import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { provide, token } from '@service-mcp/core';
import { config } from '../config.js';
import { createGate } from './gate.js';

/** Passwords, hashed with argon2id: 19 MiB, two passes, one lane (OWASP, Password Storage Cheat Sheet). */
export interface Passwords {
  /** Throws UNAVAILABLE where too many wait for theirs. */
  hash(password: string): Promise<string>;
  /** Takes as long without a hash (no such account, no password) as with one, and says false. */
  matches(password: string, stored: string | null | undefined): Promise<boolean>;
}
export const Passwords = token<Passwords>('auth.Passwords');

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }; // argon2id is the library's default
const MOST_WAITING = 200;

export const passwords = provide(Passwords, {
  uses: { settings: config.token },
  async create({ settings }) {
    const gate = createGate(settings.parallel_hashes, MOST_WAITING);
    const nobodys = await hash(randomBytes(32), OPTIONS);
    // The same characters typed on another system may be composed otherwise (NIST SP 800-63B, 5.1.1.2).
    const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'));
    return {
      hash: (password) => gate(() => hash(bytesOf(password), OPTIONS)),
      async matches(password, stored) {
        const same = await gate(() => verify(stored ?? nobodys, bytesOf(password)));
        return same && typeof stored === 'string';
      },
    };
  },
});
