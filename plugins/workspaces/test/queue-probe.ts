import { Type } from 'typebox';
import { closed, contribute, definePlugin, defineTool, provide, token } from '@service-mcp/core';
import type { TestHost } from '@service-mcp/core/testing';
import { FileChanges, FileConsumers } from '@service-mcp/plugin-workspaces/contract';

let taken: FileChanges | undefined;

const consumer = (name: string) => contribute(FileConsumers, { uses: {}, create: () => ({ name }) });

let second: FileChanges | undefined;

/** A second consumer of the same files. */
export const secondConsumer = definePlugin({
  id: 'second',
  description: 'Consumes files too.',
  api: '^1',
  services: [
    consumer('second'),
    provide(token<FileChanges>('second.Changes'), {
      uses: { files: FileChanges },
      create: ({ files }) => (second = files.for('second')),
    }),
  ],
});

/** Its changes, of the host that was started last. */
export function secondQueue(): FileChanges {
  if (!second) throw new Error('no host has the second consumer');
  return second;
}

/** Gives a test the file changes of a consumer, as other plugins use them. */
export const queueProbe = definePlugin({
  id: 'probe',
  description: 'Takes hold of the changes.',
  api: '^1',
  services: [consumer('probe')],
  toolsets: [
    {
      id: 'probe',
      description: 'For tests.',
      tools: [
        defineTool({
          name: 'probe_queue',
          title: 'Take',
          description: 'Takes the queue.',
          input: Type.Object({}, closed),
          output: Type.Object({}, closed),
          effect: 'read',
          access: { scope: 'probe:read', in: 'deployment' },
          uses: { files: FileChanges },
          handler(_input, { files }) {
            taken = files.for('probe');
            return Promise.resolve({});
          },
        }),
      ],
    },
  ],
});

/** The queue of a host that has the probe. */
export async function queueOf(host: TestHost): Promise<FileChanges> {
  await host.use('probe_queue');
  if (!taken) throw new Error('the probe gave no queue');
  return taken;
}
