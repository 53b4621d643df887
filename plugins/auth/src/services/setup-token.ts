import { Seal, provide, token } from '@service-mcp/core';
import { config } from '../config.js';
import { SETUP_PREFIX, digestOf } from './secrets.js';

/**
 * The token that the first account of a deployment needs. It is of use until there is one, which is what makes it a
 * one-time token: nothing is stored.
 */
export interface SetupToken {
  /** A token; undefined where the operator set it (SERVICE_SETUP_TOKEN). Valid on every replica. */
  create(): string | undefined;
  matches(given: string): boolean;
}
export const SetupToken = token<SetupToken>('auth.SetupToken');

const PURPOSE = 'auth.setup';
/** Sealed, it is as long as the random part of every other token. */
const TEXT = 'init';

export const setupToken = provide(SetupToken, {
  uses: { settings: config.token, seal: Seal },
  create: ({ settings: { setup_token: configured }, seal }) => ({
    create: () => (configured === undefined ? SETUP_PREFIX + seal.seal(TEXT, PURPOSE) : undefined),
    matches(given) {
      // Digests, so that the time of comparing tells nothing about the token.
      if (configured !== undefined) return digestOf(given) === digestOf(configured);
      return given.startsWith(SETUP_PREFIX) && seal.open(given.slice(SETUP_PREFIX.length), PURPOSE) === TEXT;
    },
  }),
});
