import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { endingOf, type Client, type ClientDriver, type Server, type ToolAnswer } from '../support/client.js';
import { collected } from './collected.js';

/** The client that most of the field is built on: the handshake and sessions. */
export const sdk1: ClientDriver = {
  name: '@modelcontextprotocol/sdk 1.x',
  showsProgress: true,
  cancels: ['http', 'stdio'],
  async open(server) {
    const complaints: string[] = [];
    return openSdk1(transportTo(server, complaints), complaints);
  },
};

export async function openSdk1(transport: Transport, complaints: string[]): Promise<Client> {
  const onerror = (error: Error) => void complaints.push(error.message);
  const client = Object.assign(new SdkClient({ name: 'clients', version: '1' }), { onerror });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, args, { signal, onProgress } = {}) {
      try {
        const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
        const answer = await client.callTool({ name, arguments: { ...args } }, undefined, options);
        return endingOf(answer as ToolAnswer); // the SDK's type holds results of old revisions too
      } catch (thrown) {
        if (signal?.aborted || !(thrown instanceof McpError)) throw thrown;
        return { kind: 'refusal', text: thrown.message };
      }
    },
    complaints: () => complaints,
    close: () => client.close(),
  };
}

function transportTo(server: Server, complaints: string[]): Transport {
  if (server.kind === 'http') {
    const { url, headers } = server;
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  }
  const { command, args, env } = server;
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe' });
  collected(transport.stderr, complaints);
  return transport;
}
