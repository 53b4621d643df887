import { Type } from 'typebox';
import { Events, Memberships, closed, definePlugin, defineTool } from '@service-mcp/core';
import type { TestHost } from '@service-mcp/core/testing';
import { FileQueue } from '@service-mcp/plugin-workspaces/contract';

let taken: FileQueue | undefined;

/** Hands what other plugins use to a test: the queue, and the port that lets people join. */
export const queueProbe = definePlugin({
  id: 'probe',
  description: 'Takes hold of the queue.',
  api: '^1',
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
          uses: { files: FileQueue },
          handler(_input, { files }) {
            taken = files;
            return Promise.resolve({});
          },
        }),
        defineTool({
          name: 'probe_join',
          title: 'Join',
          description: 'Lets a person join, as an accepted invitation does.',
          input: Type.Object(
            {
              workspace_id: Type.String({ description: 'Where' }),
              user_id: Type.String({ description: 'Who' }),
            },
            closed,
          ),
          output: Type.Object({}, closed),
          effect: 'create',
          access: { scope: 'probe:write', in: 'deployment' },
          uses: { events: Events, memberships: Memberships },
          async handler({ workspace_id: workspaceId, user_id: userId }, { events, memberships }) {
            await events.change((sql, record) =>
              memberships.join(sql, record, { workspaceId, userId, role: 'member' }),
            );
            return {};
          },
        }),
      ],
    },
  ],
});

/** The queue of a host that has the probe. */
export async function queueOf(host: TestHost): Promise<FileQueue> {
  await host.use('probe_queue');
  if (!taken) throw new Error('the probe gave no queue');
  return taken;
}
