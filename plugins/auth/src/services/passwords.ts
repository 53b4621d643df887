import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { ServiceError, provide, token } from '@service-mcp/core';
import PQueue from 'p-queue';
import { config } from '../config.js';

/** Password hashing with argon2id: 19 MiB, two passes, one lane (OWASP, Password Storage Cheat Sheet). */
export interface Passwords {
  /** Throws UNAVAILABLE when too many requests wait. */
  hash(password: string): Promise<string>;
  /** False without a hash (unknown account, no password), after the same time as with one. */
  matches(password: string, stored: string | null | undefined): Promise<boolean>;
}
export const Passwords = token<Passwords>('auth.Passwords');

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }; // argon2id is the library's default
const MAX_WAITING = 200;

export const passwords = provide(Passwords, {
  uses: { settings: config.token },
  async create({ settings }) {
    const queue = new PQueue({ concurrency: settings.parallel_hashes });
    const inQueue = async <T>(work: () => Promise<T>): Promise<T> => {
      if (queue.size >= MAX_WAITING)
        throw new ServiceError('UNAVAILABLE', 'Too many logins at once. Try again in a few seconds.');
      return queue.add(work);
    };
    const dummyHash = await hash(randomBytes(32), OPTIONS);
    // Systems compose the same typed characters differently (NIST SP 800-63B, 5.1.1.2).
    const bytesOf = (password: string) => Buffer.from(password.normalize('NFKC'));
    return {
      hash: (password) => inQueue(() => hash(bytesOf(password), OPTIONS)),
      async matches(password, stored) {
        const same = await inQueue(() => verify(stored ?? dummyHash, bytesOf(password)));
        return same && typeof stored === 'string';
      },
    };
  },
});
