import {
  Client as SdkClient,
  ProtocolError,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { endingOf, type ClientDriver, type Server } from '../support/client.js';
import { collected } from './collected.js';

const MODERN = '2026-07-28';

/** The next generation of the SDK's client, as it is by default and in both ways that reach the stateless revision. */
export const sdk2: readonly ClientDriver[] = [
  driver('as it comes', 'legacy', '2025-11-25'),
  driver('auto', 'auto', MODERN),
  driver(`pinned to ${MODERN}`, { pin: MODERN }, MODERN),
];

function driver(
  name: string,
  mode: NonNullable<VersionNegotiationOptions['mode']>,
  negotiated: string,
): ClientDriver {
  return {
    name: `@modelcontextprotocol/client 2.x, ${name}`,
    showsProgress: true,
    cancels: ['http', 'stdio'],
    async open(server) {
      const complaints: string[] = [];
      const onerror = (error: Error) => void complaints.push(error.message);
      const made = new SdkClient({ name: 'clients', version: '1' }, { versionNegotiation: { mode } });
      const client = Object.assign(made, { onerror });
      await client.connect(transportTo(server, complaints));
      assert.equal(client.getNegotiatedProtocolVersion(), negotiated);
      return {
        tools: async () => (await client.listTools()).tools,
        async call(tool, args, { signal, onProgress } = {}) {
          try {
            const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
            return endingOf(await client.callTool({ name: tool, arguments: { ...args } }, options));
          } catch (thrown) {
            if (signal?.aborted || !(thrown instanceof ProtocolError)) throw thrown;
            return { kind: 'refusal', text: thrown.message };
          }
        },
        complaints: () => complaints,
        close: () => client.close(),
      };
    },
  };
}

function transportTo(server: Server, complaints: string[]) {
  if (server.kind === 'http') {
    const { url, headers } = server;
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  }
  const { command, args, env } = server;
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe' });
  collected(transport.stderr, complaints);
  return transport;
}
