/** The parts that all meta tools share: no routes of their own, since REST lists its tools in OpenAPI. */
export const metaTool = {
  level: 'optional',
  access: { scope: 'authenticated', in: 'self' },
  surfaces: ['mcp', 'rpc', 'cli'],
} as const;
