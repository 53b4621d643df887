import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { closed, defineConfig, definePlugin, defineTool, type Tool } from '@service-mcp/core';
import { eachDatabase, testHost } from '@service-mcp/core/testing';

const echo = (init: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
  defineTool({
    name: 'demo_echo',
    title: 'Echo',
    description: 'Gives back its text.',
    input: Type.Object({ text: Type.String({ description: 'What to say', default: 'hello' }) }, closed),
    output: Type.Object({ text: Type.String() }, closed),
    effect: 'read',
    access: { scope: 'demo:read', in: 'deployment' },
    uses: {},
    handler: (input) => Promise.resolve({ text: (input as { text: string }).text }),
    ...(init as object),
  });

const demo = (tools: Tool[]) =>
  definePlugin({
    id: 'demo',
    description: 'For tests.',
    api: '^1',
    toolsets: [{ id: 'demo', description: 'd', tools }],
  });

describe('host', () => {
  eachDatabase((fresh) => {
    it('starts, calls and stops', async () => {
      const host = await testHost({ plugins: [demo([echo()])], database: await fresh() });
      assert.deepEqual(await host.use('demo_echo'), { text: 'hello' });
      await host.stop();
    });
  });
  it('keeps the config type', () => {
    const config = defineConfig(
      'x',
      Type.Object({ a: Type.String({ default: 'b', description: 'x' }) }, closed),
    );
    definePlugin({ id: 'x', description: 'x', api: '^1', config });
  });
});
