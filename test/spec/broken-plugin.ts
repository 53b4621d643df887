import { Type } from 'typebox';
import {
  Authenticator,
  closed,
  definePlugin,
  definePrompt,
  defineResource,
  defineTool,
  provide,
} from '@service-mcp/core';
import { callerWith } from '@service-mcp/core/testing';

const access = { scope: 'broken:read', in: 'deployment' } as const;
const PERSON = callerWith();
const broken = async () => {
  throw new Error('SELECT secret FROM vault');
};

/** A tool, a resource and a prompt that fail with a foreign error, and an authenticator that does so on request. */
export default definePlugin({
  id: 'broken',
  description: 'For this test.',
  api: '^1',
  services: [
    provide(Authenticator, {
      uses: {},
      create: () => ({
        verifiesJwt: false,
        challenge: () => 'Bearer',
        authenticate: ({ headers }) =>
          headers['x-break'] === undefined ? Promise.resolve(PERSON) : broken(),
      }),
    }),
  ],
  resources: [
    defineResource({
      uriTemplate: 'broken://one',
      name: 'one',
      title: 'One',
      description: 'It fails.',
      mimeType: 'text/plain',
      access,
      uses: {},
      read: broken,
    }),
  ],
  prompts: [
    definePrompt({
      name: 'broken_start',
      title: 'Start',
      description: 'It fails.',
      arguments: [],
      access,
      uses: {},
      render: broken,
    }),
  ],
  toolsets: [
    {
      id: 'broken',
      description: 'For this test.',
      tools: [
        defineTool({
          name: 'broken_fail',
          title: 'Fail',
          description: 'It fails.',
          input: Type.Object({}, closed),
          output: Type.Object({}, closed),
          effect: 'read',
          level: 'light',
          access,
          http: { method: 'POST', path: '/v1/broken/fail' },
          uses: {},
          handler: broken,
        }),
      ],
    },
  ],
});
