import { Type } from 'typebox';
import {
  AuditTrail,
  closed,
  content,
  definePlugin,
  defineTool,
  inputRequired,
  provide,
  type AuditEntry,
} from '@service-mcp/core';

/** Records of the audit log. */
export const audited: AuditEntry[] = [];
const text = Type.String({ maxLength: 100, description: 'Any' });

/** Tools that fail, ask, stall and report progress. */
export const misbehaving = definePlugin({
  id: 'odd',
  description: 'For tests.',
  api: '^1',
  services: [
    provide(AuditTrail, {
      uses: {},
      create: () => ({
        record: (entry) => {
          audited.push(entry);
          return Promise.resolve();
        },
      }),
    }),
  ],
  toolsets: [
    {
      id: 'odd',
      description: 'For tests.',
      tools: [
        defineTool({
          name: 'odd_speak',
          title: 'Speak',
          description: 'Tells of its progress, and gives a picture.',
          input: Type.Object({ text }, closed),
          output: Type.Object({ text: Type.String() }, closed),
          effect: 'read',
          access: { scope: 'odd:read', in: 'deployment' },
          uses: {},
          handler({ text: said }, _deps, call) {
            call.progress?.({ progress: 1, total: 2 });
            return Promise.resolve(
              content({ text: said }, [{ type: 'image', data: 'AA==', mimeType: 'image/png' }]),
            );
          },
        }),
        defineTool({
          name: 'odd_ask',
          title: 'Ask',
          description: 'Asks the person first.',
          input: Type.Object({}, closed),
          output: Type.Object({ answer: Type.String() }, closed),
          effect: 'update',
          access: { scope: 'odd:write', in: 'deployment' },
          aliases: ['odd_former_ask'],
          uses: {},
          handler: (_input, _deps, call) =>
            Promise.resolve(
              call.answers
                ? { answer: `${JSON.stringify(call.answers['name'])} to ${call.answersTo ?? 'nothing'}` }
                : inputRequired([{ name: 'name', message: 'Who?', schema: {} }], { state: 'kept' }),
            ),
        }),
        defineTool({
          name: 'odd_rest',
          title: 'Rest',
          description: 'Is not for conversations.',
          input: Type.Object({}, closed),
          output: Type.Object({}, closed),
          effect: 'read',
          access: { scope: 'odd:read', in: 'deployment' },
          surfaces: ['rest'],
          uses: {},
          handler: () => Promise.resolve({}),
        }),
      ],
    },
  ],
});
