import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { SurfaceDriver } from './driver.js';
import { mcpDriver } from './mcp-outcome.js';

/** The SDK's 1.x client: initialize, then a session. */
export const mcpLegacy: SurfaceDriver = {
  name: 'MCP, SDK 1.x client',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ url }) {
    const client = new Client({ name: 'surfaces', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?toolset=complete`)));
    return mcpDriver(client);
  },
};
