import assert from 'node:assert/strict';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClientDriver } from '../../clients/support/client.js';
import { openSdk1 } from '../../clients/drivers/sdk-1.js';
import { environment, type Program } from './program.js';

/** The bridge for clients that start a process and nothing else, driven by one of them: the SDK's 1.x client. */
export function mcpRemote(program: () => Program): ClientDriver {
  return {
    name: 'mcp-remote before an SDK 1.x client',
    showsProgress: true,
    cancels: ['http'],
    async open(server) {
      assert.ok(server.kind === 'http', 'the bridge leads to an address');
      const { node, script, home, hear } = program();
      const headers = Object.entries(server.headers);
      // The keys go by the environment, as its guide advises: arguments are seen by everybody on the machine.
      const args = headers.flatMap(([name], index) => ['--header', `${name}:\${HEADER_${index}}`]);
      const values = Object.fromEntries(headers.map(([, value], index) => [`HEADER_${index}`, value]));
      const transport = new StdioClientTransport({
        command: node,
        args: [script, server.url, '--transport', 'http-only', ...args],
        env: { ...environment(home), ...values },
        stderr: 'pipe', // a log of each message
      });
      transport.stderr?.on('data', (part: Buffer) => hear?.(part.toString()));
      return openSdk1(transport, []);
    },
  };
}
