import { ServiceError } from '../errors.js';
import { definePlugin, type Plugin } from '../plugin.js';
import { Authenticator } from '../services.js';
import { provide } from '../token.js';
import { callerWith } from './caller-with.js';

/** A plugin that authenticates people by `Authorization: Bearer <name>`, where tests need no accounts. */
export function peopleNamed(...names: readonly string[]): Plugin {
  const callers = new Map(names.map((name) => [`Bearer ${name}`, callerWith({ name })]));
  return definePlugin({
    id: 'people',
    description: `Authenticates ${names.join(', ')}.`,
    api: '^1',
    services: [
      provide(Authenticator, {
        uses: {},
        create: () => ({
          verifiesJwt: false,
          challenge: () => 'Bearer',
          async authenticate({ headers }) {
            if (headers['authorization'] === undefined) return undefined;
            const caller = callers.get(String(headers['authorization']));
            if (!caller) throw new ServiceError('UNAUTHENTICATED', 'Send a key.');
            return caller;
          },
        }),
      }),
    ],
  });
}
