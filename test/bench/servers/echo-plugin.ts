import { definePlugin, defineTool } from '@service-mcp/core';
import { echo, EchoInput, EchoOutput } from './echo.js';

const declared = {
  title: 'Echo',
  description: 'Gives back what it was given.',
  input: EchoInput,
  output: EchoOutput,
  effect: 'read',
  access: { scope: 'bench:read', in: 'deployment' },
  level: 'light',
  uses: {},
  handler: echo,
} as const;

/** The trivial tool as a plugin, once for each HTTP method. */
export default definePlugin({
  id: 'bench',
  description: 'The trivial tool of the benchmark.',
  api: '^1',
  toolsets: [
    {
      id: 'bench',
      description: 'The trivial tool of the benchmark.',
      tools: [
        defineTool({ ...declared, name: 'bench_echo', http: { method: 'POST', path: '/v1/bench/echo' } }),
        defineTool({ ...declared, name: 'bench_peek', http: { method: 'GET', path: '/v1/bench/peek' } }),
      ],
    },
  ],
});
