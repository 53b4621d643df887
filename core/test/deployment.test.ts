import assert from 'node:assert/strict';
import { collect, contribute, definePlugin, provide, token } from '@service-mcp/core';
import { testHost } from '@service-mcp/core/testing';
import { demo, demoConfig as config } from './fixtures.js';

describe('a deployment', () => {
  it('reads settings from file, environment and defaults, in this order of weakness', async () => {
    const seen: unknown[] = [];
    const Seen = token<object>('demo.Seen');
    const plugin = definePlugin({
      id: 'demo',
      description: 'd',
      api: '^1',
      config,
      services: [
        provide(Seen, {
          uses: { settings: config.token },
          create: ({ settings }) => (seen.push(settings), {}),
        }),
      ],
    });
    for (const [file, env] of [
      [{}, {}],
      [{ demo: { size: 5 } }, {}],
      [{ demo: { size: 5 } }, { DEMO_SIZE: '7', DEMO_WORDS: 'a, b' }],
    ] as const) {
      await (await testHost({ plugins: [plugin], config: file, env })).stop();
    }
    assert.deepEqual(seen, [
      { size: 3, words: [] },
      { size: 5, words: [] },
      { size: 7, words: ['a', 'b'] },
    ]);
  });

  it('builds services in order, collects contributions, and closes in reverse', async () => {
    const order: string[] = [];
    const A = token<string>('order.A');
    const B = token<string>('order.B');
    const All = collect<string>('order.All');
    const plugin = demo([], {
      services: [
        provide(B, {
          uses: { a: A, all: All },
          create: ({ a, all }) => (order.push(`B(${a},${all.join('+')})`), 'b'),
          close: () => void order.push('close B'),
        }),
        contribute(All, { uses: { a: A }, create: () => 'one' }),
        contribute(All, { uses: {}, create: () => 'two' }),
        provide(A, {
          uses: {},
          create: () => (order.push('A'), 'a'),
          close: () => void order.push('close A'),
        }),
      ],
    });
    await (await testHost({ plugins: [plugin] })).stop();
    assert.deepEqual(order, ['A', 'B(a,one+two)', 'close B', 'close A']);
  });
});
