import { EventEmitter, once } from 'node:events';
import { definePlugin, defineTool, ServiceError } from '@service-mcp/core';
import { Type, type Static, type TObject } from 'typebox';
import type { AdmittedCall } from '@service-mcp/core';

const closed = { additionalProperties: false } as const;
const key = Type.String({ minLength: 1, maxLength: 100, description: 'Which call is meant.' });

/** A tool that every client sees and may call. */
const tool = <I extends TObject, O extends TObject>(declared: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly handler: (input: Static<I>, call: AdmittedCall) => Promise<Static<O>>;
}) =>
  defineTool({
    ...declared,
    effect: 'read',
    level: 'light',
    access: { scope: 'authenticated', in: 'deployment' },
    uses: {},
    handler: (input, _deps, call) => declared.handler(input, call),
  });

/** How the calls of `work_wait` ended, by their keys. */
const waits = new Map<string, 'waiting' | 'cancelled' | 'overdue'>();
/** The steps of `work_steps` that somebody waits for, by their keys. */
const steps = new EventEmitter();

const tools = [
  tool({
    name: 'work_steps',
    title: 'Work in steps',
    description:
      'Tells of each step, and takes the next when work_next is called with the same key; without anybody to tell it does not wait.',
    input: Type.Object(
      { key, steps: Type.Integer({ minimum: 1, maximum: 10, description: 'How many.' }) },
      closed,
    ),
    output: Type.Object({ taken: Type.Integer({ description: 'How many steps it took.' }) }, closed),
    async handler(input, { progress, signal }) {
      if (!progress) return { taken: input.steps };
      for (let step = 1; step <= input.steps; step++) {
        const next = once(steps, input.key, { signal });
        progress({ progress: step, total: input.steps, message: `step ${step}` });
        await next;
      }
      return { taken: input.steps };
    },
  }),
  tool({
    name: 'work_next',
    title: 'Take the next step',
    description: 'Lets work_steps take its next step.',
    input: Type.Object({ key }, closed),
    output: Type.Object({ heard: Type.Boolean({ description: 'Whether it waited for this.' }) }, closed),
    handler: (input) => Promise.resolve({ heard: steps.emit(input.key) }),
  }),
  tool({
    name: 'work_fail',
    title: 'Fail',
    description: 'Fails, with a message that says what to do next.',
    input: Type.Object({}, closed),
    output: Type.Object({}, closed),
    handler: () =>
      Promise.reject(new ServiceError('CONFLICT', 'The lamp is out. Light it, then call work_fail again.')),
  }),
  tool({
    name: 'work_wait',
    title: 'Wait to be cancelled',
    description: 'Ends when the call is given up. work_waited tells how it ended.',
    input: Type.Object({ key }, closed),
    output: Type.Object({}, closed),
    async handler(input, { signal, deadline }) {
      waits.set(input.key, 'waiting');
      if (!signal.aborted) await once(signal, 'abort');
      waits.set(input.key, Date.now() < deadline ? 'cancelled' : 'overdue');
      return {};
    },
  }),
  tool({
    name: 'work_waited',
    title: 'How a wait ended',
    description: 'Says whether a call of work_wait waits, was cancelled or took too long.',
    input: Type.Object({ key }, closed),
    output: Type.Object(
      { state: Type.String({ description: 'waiting, cancelled, overdue, unknown.' }) },
      closed,
    ),
    handler: (input) => Promise.resolve({ state: waits.get(input.key) ?? 'unknown' }),
  }),
];

/** Tools that report progress, fail or take long. */
export default definePlugin({
  id: 'work',
  description: 'What the tests of clients call.',
  api: '^1',
  toolsets: [{ id: 'work', description: 'What the tests of clients call.', tools }],
});
