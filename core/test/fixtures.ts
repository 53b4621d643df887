import { setTimeout } from 'node:timers/promises';
import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { closed, defineConfig, definePlugin, defineTool, type Plugin, type Tool } from '@service-mcp/core';
import { BootError } from '@service-mcp/core/host';
import { testHost } from '@service-mcp/core/testing';

/** A tool that returns its text, with the changes of a test. */
export function echo(init: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name: 'demo_echo',
    title: 'Echo',
    description: 'Gives back its text.',
    input: Type.Object(
      { text: Type.String({ description: 'What to say', default: 'hello', maxLength: 100 }) },
      closed,
    ),
    output: Type.Object({ text: Type.String() }, closed),
    effect: 'read',
    access: { scope: 'demo:read', in: 'deployment' },
    uses: {},
    handler: ({ text }) => Promise.resolve({ text }),
  });
  return { ...tool, ...init };
}

/** A plugin around tools, with the changes of a test. */
export function demo(tools: readonly Tool[], init: Partial<Plugin> = {}): Plugin {
  return definePlugin({
    id: 'demo',
    description: 'For tests.',
    api: '^1',
    toolsets: [{ id: 'demo', description: 'For tests.', tools }],
    ...init,
  });
}

/** Asserts that the work fails with a BootError of this place and remedy. */
export const refuses = (work: () => unknown, place: RegExp, remedy: RegExp, message = /./) =>
  assert.rejects(
    async () => work(),
    (error) => {
      assert.ok(error instanceof BootError, String(error));
      assert.match(error.place, place);
      assert.match(error.remedy, remedy);
      assert.match(error.message, message);
      assert.ok(error.message.includes(error.place) && error.message.includes(error.remedy));
      return true;
    },
  );

/** A declaration as a JavaScript plugin may write it. */
export const untyped = <T>(value: object) => value as T;
/** Boots plugins; a test of a refusal starts nothing. */
export const boots = (...plugins: Plugin[]) => testHost({ plugins });
/** Boots the plugin "demo" with one tool. */
export const bootsTool = (init: object) => boots(demo([echo(untyped<Partial<Tool>>(init))]));
/** The place of that tool in an error. */
export const TOOL_PLACE = /^plugin demo, tool "demo_echo"$/;

/** Settings of the plugin "demo". */
export const demoConfig = defineConfig(
  'demo',
  Type.Object(
    {
      size: Type.Integer({ description: 'Size', default: 3, minimum: 1, 'x-env': 'DEMO_SIZE' }),
      words: Type.Array(Type.String(), { description: 'Words', default: [], 'x-env': 'DEMO_WORDS' }),
    },
    closed,
  ),
);

/** Waits until a condition holds, for five seconds at most. */
export const until = async (condition: () => boolean) => {
  for (let waited = 0; !condition(); waited += 5) {
    if (waited > 5000) throw new Error('it did not happen within 5 s');
    await setTimeout(5);
  }
};
