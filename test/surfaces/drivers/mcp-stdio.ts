import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BINARY, cleanEnv } from '../../command.js';
import type { SurfaceDriver } from './driver.js';
import { mcpDriver } from './mcp-outcome.js';

/** `service-mcp stdio` as a process of its own, over the data of the running service. */
export const mcpStdio: SurfaceDriver = {
  name: 'MCP, stdio binary',
  unknownTool: 'UNKNOWN_TOOL',
  async open({ file, dataDir }) {
    const client = new Client({ name: 'surfaces', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BINARY, 'stdio', '--config', file, '--data', dataDir],
        env: { ...cleanEnv(), SERVICE_TOOLSETS_DEFAULT: 'complete' },
        stderr: 'inherit',
      }),
    );
    return mcpDriver(client);
  },
};
