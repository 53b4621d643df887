import { Type } from 'typebox';
import { closed, Database, defineTool, defineWorker } from '@service-mcp/core';
import { demo, echo } from './fixtures.js';
import { leaveAlone, throwAlone } from './misbehaving-part.js';

/** Rejects with nobody to catch it, blocks the event loop, and has workers that fail or never end. */
export default demo(
  [
    echo({
      name: 'demo_reject',
      handler: async () => {
        void Promise.reject(new Error('left alone'));
        leaveAlone();
        void Promise.reject('no error'); // which has no stack
        return { text: 'done' };
      },
    }),
    defineTool({
      name: 'demo_missing',
      title: 'Read what is missing',
      description: 'For tests.',
      input: Type.Object({}, closed),
      output: Type.Object({}, closed),
      effect: 'read',
      access: { scope: 'demo:read', in: 'deployment' },
      uses: { database: Database },
      handler: async (_input, { database }) => {
        await database.sql('demo_things').select('added_later');
        return {};
      },
    }),
    echo({
      name: 'demo_throw',
      handler: async () => {
        throwAlone();
        return { text: 'done' };
      },
    }),
    echo({
      name: 'demo_block',
      handler: async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        for (const end = Date.now() + 2000; Date.now() < end;);
        return { text: 'done' };
      },
    }),
  ],
  {
    workers: [
      defineWorker({
        id: 'demo.rejecting',
        uses: {},
        everyMs: 1_000_000,
        run: async () => {
          setTimeout(() => void Promise.reject(new Error('left by a worker')), 1);
          return { more: false };
        },
      }),
      defineWorker({
        id: 'demo.failing',
        uses: {},
        everyMs: 1,
        run: () => Promise.reject(new Error('a row that nobody can read')),
      }),
      defineWorker({ id: 'demo.endless', uses: {}, everyMs: 1, run: () => new Promise(() => undefined) }),
    ],
  },
);
