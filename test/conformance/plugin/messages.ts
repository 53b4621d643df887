import { setTimeout as delay } from 'node:timers/promises';
import { defineTool, Events } from '@service-mcp/core';
import { Type } from 'typebox';
import { access, closed, Said, say, tool } from './declare.js';

const PAUSE_MS = 50;

/** The event that core records when a deployment starts with other tools. */
const TOOLS_CHANGED = 'tools.changed';

/** Lets the clients know that the lists may have changed, as a deployment does that starts with other tools. */
const changeLists = (name: string) =>
  defineTool({
    name,
    title: name.replaceAll('_', ' '),
    description: 'Tells the clients that the lists have changed.',
    input: Type.Object({}, closed),
    output: Said,
    effect: 'update',
    level: 'light',
    access: { ...access, scope: 'test:write' },
    uses: { events: Events },
    async handler(_input, { events }) {
      await events.change(async (_sql, record) =>
        record({ type: TOOLS_CHANGED, workspaceId: null, data: {} }),
      );
      return say('Told.');
    },
  });

/** Tools that notify the client before their result. */
export const messageTools = [
  tool('test_tool_with_logging', 'Logs three messages.', async (call) => {
    call.notify?.({ level: 'info', data: 'Tool execution started' });
    await delay(PAUSE_MS);
    call.notify?.({ level: 'info', data: 'Tool processing data' });
    await delay(PAUSE_MS);
    call.notify?.({ level: 'info', data: 'Tool execution completed' });
    return say('Logged.');
  }),
  tool('test_logging_tool', 'Logs a message.', async (call) => {
    call.notify?.({ level: 'warning', logger: 'test', data: { said: 'A warning' } });
    return say('Logged.');
  }),
  tool('test_tool_with_progress', 'Reports its progress.', async (call) => {
    call.progress?.({ progress: 0, total: 100 });
    await delay(PAUSE_MS);
    call.progress?.({ progress: 50, total: 100 });
    await delay(PAUSE_MS);
    call.progress?.({ progress: 100, total: 100 });
    return say('Done.');
  }),
  changeLists('test_trigger_tool_change'),
  changeLists('test_trigger_prompt_change'),
];
