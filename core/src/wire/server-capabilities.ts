/** The capabilities that the service states to MCP clients. All are stated: whether a list is empty depends on the caller. */
export const SERVER_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;
