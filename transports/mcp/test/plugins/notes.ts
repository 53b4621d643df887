import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import {
  Authenticator,
  definePlugin,
  defineResource,
  Events,
  notFound,
  provide,
  ServiceError,
  token,
  type Plugin,
} from '@service-mcp/core';
import { callerWith } from '@service-mcp/core/testing';
import { access, closed } from './declare.js';

/** Announces changes from within the process. */
export interface Changer {
  /** Announces this many changes of the note `<owner>/<name>`. */
  note(path: string, times?: number): Promise<void>;
  lists(): Promise<void>;
}

const ChangerToken = token<Changer>('notes.Changer');

/** The changer of the most recent host. */
export let changer: Changer;

/** Count of reads of the notes; reads fail while `away`, and when none are `left`. */
export const reading = { times: 0, away: false, left: Infinity };

const note = defineResource({
  uriTemplate: 'notes://{owner}/{name}',
  name: 'note',
  title: 'A note',
  description: 'A note of a person.',
  mimeType: 'text/plain',
  access,
  uses: {},
  changedBy: {
    'note.changed': ({ data }) => ({ owner: String(data['owner']), name: String(data['name']) }),
  },
  async read({ owner, name }, _deps, call) {
    reading.times += 1;
    reading.left -= 1;
    if (reading.away || reading.left < 0) throw new ServiceError('UNAVAILABLE', 'The notes are away.');
    if (owner !== call.caller.name && owner !== 'all')
      throw notFound('note', `${owner}/${name}`, 'resources/list');
    return [{ uri: `notes://${owner}/${name}`, text: `a note of ${owner}` }];
  },
});

/** Notes as resources; each person sees their own and the shared ones. */
export const notes = definePlugin({
  id: 'notes',
  description: 'Changes.',
  api: '^1',
  resources: [note],
  events: [
    {
      type: 'note.changed',
      description: 'A note has changed.',
      scope: 'things:read',
      data: Type.Object({ owner: Type.String(), name: Type.String() }, closed),
    },
  ],
  services: [
    provide(ChangerToken, {
      uses: { events: Events },
      create({ events }) {
        const tell = async (type: string, data: Readonly<Record<string, string>>, times = 1) => {
          const told = Array.from({ length: times }, () => ({ type, workspaceId: null, data }));
          await events.change(async (_sql, record) => record(...told));
        };
        changer = {
          note: (path, times) => {
            const [owner = '', name = ''] = path.split('/');
            return tell('note.changed', { owner, name }, times);
          },
          lists: () => tell('tools.changed', {}),
        };
        return changer;
      },
    }),
  ],
});

const SLOW_MS = 50;

/** Authentications that find the people away before they are asked again. */
export const asking = { away: 0 };

/** Authenticates `Authorization: Bearer <name>` for the names in `people`, which may change; the slow ones with a delay. */
export function revocable(people: ReadonlySet<string>): Plugin {
  return definePlugin({
    id: 'revocable',
    description: 'People who may be revoked.',
    api: '^1',
    services: [
      provide(Authenticator, {
        uses: {},
        create: () => ({
          verifiesJwt: false,
          challenge: () => 'Bearer',
          async authenticate({ headers }) {
            const name = String(headers['authorization']).replace('Bearer ', '');
            if (name === 'slow') await sleep(SLOW_MS);
            if (asking.away > 0) {
              asking.away -= 1;
              throw new ServiceError('UNAVAILABLE', 'The people are away.');
            }
            if (!people.has(name)) throw new ServiceError('UNAUTHENTICATED', 'Send a key.');
            return callerWith({ name, userId: name });
          },
        }),
      }),
    ],
  });
}
