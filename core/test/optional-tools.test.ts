import assert from 'node:assert/strict';
import { type Plugin, type Toolset } from '@service-mcp/core';
import { toolEntry } from '@service-mcp/core/wire';
import { rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { demo, echo } from './fixtures.js';

const EXTRA = echo({ name: 'extra_read', level: 'optional' });
const WRITER = echo({ name: 'extra_write', level: 'optional', effect: 'write' });

const plugin: Plugin = demo([], {
  toolsets: [
    { id: 'demo', description: 'For tests.', tools: [echo({ level: 'light' })] },
    { id: 'extra', description: 'Asked for by name.', tools: [EXTRA, WRITER] },
  ],
});

describe('optional tools', () => {
  const hosts: TestHost[] = [];
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop();
  });
  const boot = async (toolsets: object = {}) => {
    const host = await testHost({ plugins: [plugin], config: { toolsets } });
    hosts.push(host);
    return {
      host,
      names: async (...words: string[]) => {
        const selection = { toolsets: words, readOnly: false };
        return (await host.catalog.tools(host.call({ selection }))).map(({ name }) => name);
      },
    };
  };

  it('belong to no level and not to the ceiling, and are listed for callers that name the toolset or the tool', async () => {
    const { host, names } = await boot();
    for (const level of ['light', 'standard', 'complete'])
      assert.deepEqual(await names(level), ['demo_echo']);
    const ceiling = host.call({ selection: host.registry.ceiling() });
    assert.deepEqual(
      (await host.catalog.tools(ceiling)).map(({ name }) => name),
      ['demo_echo'],
    );
    assert.deepEqual(await names('extra'), ['extra_read', 'extra_write']);
    assert.deepEqual(await names('extra_read'), ['extra_read']);
    assert.deepEqual(await names('light', 'extra_write'), ['demo_echo', 'extra_write']);
  });

  it('can be called where they are listed, and nowhere else', async () => {
    const { host } = await boot();
    const asked = { selection: { toolsets: ['extra'], readOnly: false } };
    assert.deepEqual(await host.use('extra_read', { text: 'x' }, asked), { text: 'x' });
    await rejects(host.use('extra_read'), 'UNKNOWN_TOOL', /outside the toolset.*\)\. .*X-Service-Toolset/);
    await rejects(
      host.use('extra_write', {}, { selection: { toolsets: ['light', 'extra_read'], readOnly: false } }),
      'UNKNOWN_TOOL',
      /outside the toolset of this request \(light, extra_read\), which has of these extra_read\. /,
    );
    // Another toolset would not help.
    await rejects(
      host.use('extra_write', {}, { selection: { toolsets: ['extra'], readOnly: true } }),
      'UNKNOWN_TOOL',
      /^The tool "extra_write" may write, and this request is read-only\. .*X-Service-Readonly.*SERVICE_READ_ONLY/,
    );
  });

  it('are under every ceiling, unless they are excluded or write where all is read only', async () => {
    assert.deepEqual(await (await boot({ allowed: ['light'], default: ['light'] })).names('extra'), [
      'extra_read',
      'extra_write',
    ]);
    assert.deepEqual(await (await boot({ exclude: ['extra_read'] })).names('extra'), ['extra_write']);
    assert.deepEqual(await (await boot({ exclude: ['extra'] })).names('extra'), []);
    assert.deepEqual(await (await boot({ read_only: true })).names('extra'), ['extra_read']);
  });

  it('are shown by default where the deployment says so', async () => {
    const { host } = await boot({ default: ['light', 'extra'] });
    const call = host.call({ selection: host.registry.defaultSelection() });
    assert.deepEqual(
      (await host.catalog.tools(call)).map(({ name }) => name),
      ['demo_echo', 'extra_read', 'extra_write'],
    );
  });

  it('have the hints of their worst effect when the arguments decide the effect', async () => {
    const { host } = await boot();
    const call = host.call({ selection: { toolsets: ['extra_write'], readOnly: false } });
    const [info] = await host.catalog.tools(call);
    assert.ok(info);
    const { readOnlyHint, destructiveHint, idempotentHint } = toolEntry(info).annotations;
    assert.deepEqual([readOnlyHint, destructiveHint, idempotentHint], [false, true, false]);
  });
});

describe('instructions of toolsets', () => {
  it('name the tools that a caller sees, in the order of the plugins', async () => {
    const toolset = (id: string, init: Partial<Toolset> = {}): Toolset => ({
      id,
      description: id,
      tools: [echo({ name: `${id}_read` })],
      ...init,
    });
    const host = await testHost({
      plugins: [
        demo([], {
          toolsets: [
            toolset('first', { instructions: 'Call first_read.' }),
            toolset('second', {
              instructions: (visible) => (visible.has('first_read') ? 'Then second_read.' : 'Alone.'),
            }),
            toolset('third', {
              instructions: (visible) => (visible.has('first_read') ? undefined : 'Third.'),
            }),
          ],
        }),
      ],
    });
    const text = (...toolsets: string[]) =>
      host.catalog.instructions(host.call({ selection: { toolsets, readOnly: false } }));
    assert.equal(await text('complete'), 'Call first_read. Then second_read.');
    assert.equal(await text('third'), 'Alone. Third.');
    await host.stop();
  });
});
