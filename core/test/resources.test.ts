import assert from 'node:assert/strict';
import { definePlugin, definePrompt, defineResource, type Log } from '@service-mcp/core';
import { rejects, testHost, type TestHost } from '@service-mcp/core/testing';
import { Cancellations } from '@service-mcp/core/wire';

const access = { scope: 'things:read', in: 'deployment' } as const;
const never = () => new Promise<never>(() => undefined);

const resource = (name: string, read: Parameters<typeof defineResource>[0]['read']) =>
  defineResource({
    uriTemplate: `things://${name}`,
    name,
    title: 'A thing',
    description: 'A thing.',
    mimeType: 'text/plain',
    access,
    uses: {},
    read,
  });

const things = definePlugin({
  id: 'things',
  description: 'For tests.',
  api: '^1',
  resources: [
    resource('deaf', never),
    resource(
      'polite',
      (_variables, _deps, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
    ),
  ],
  prompts: [
    definePrompt({
      name: 'things_hang',
      title: 'Hang',
      description: 'Never ends.',
      arguments: [],
      access,
      uses: {},
      render: never,
    }),
  ],
});

describe('resources and prompts', () => {
  let host: TestHost;
  before(async () => {
    host = await testHost({ plugins: [things] });
  });
  after(() => host.stop());

  const logged: unknown[] = [];
  const quiet = () => undefined;
  const log: Log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (...told: unknown[]) => void logged.push(told),
    child: () => log,
  };
  afterEach(() => assert.deepEqual(logged, []));

  for (const uri of ['things://deaf', 'things://polite'])
    it(`end at the deadline: ${uri}`, async () => {
      const call = host.call({ log, signal: AbortSignal.timeout(20) });
      await rejects(host.catalog.readResource(uri, call), 'DEADLINE_EXCEEDED');
    });

  it('end at the deadline: a prompt', async () => {
    const call = host.call({ log, signal: AbortSignal.timeout(20) });
    await rejects(host.catalog.prompt('things_hang', {}, call), 'DEADLINE_EXCEEDED');
  });

  it('end when the client cancels them', async () => {
    const cancellations = new Cancellations();
    const reading = cancellations.run(host.call({ log, session: 's' }), 1, (call) =>
      host.catalog.readResource('things://polite', call),
    );
    setImmediate(() => cancellations.cancel('s', 1));
    await rejects(reading, 'DEADLINE_EXCEEDED', /cancelled/);
  });
});
