import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { SurfaceDriver } from './driver.js';
import { mcpDriver } from './mcp-outcome.js';

const MODERN = '2026-07-28';

/** The SDK's 2.x client, which finds the newest revision by itself. */
export const mcpModern: SurfaceDriver = {
  name: 'MCP, SDK 2.x client',
  unknownTool: 'UNKNOWN_TOOL',
  open: ({ url }) => connect(url, 'auto'),
};

/** The same, pinned to the newest revision. */
export const mcpPinned: SurfaceDriver = {
  name: 'MCP, SDK 2.x client, pinned',
  unknownTool: 'UNKNOWN_TOOL',
  open: ({ url }) => connect(url, { pin: MODERN }),
};

async function connect(url: string, mode: 'auto' | { pin: string }) {
  const client = new Client({ name: 'surfaces', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp?toolset=complete`)));
  assert.equal(client.getNegotiatedProtocolVersion(), MODERN);
  return mcpDriver(client);
}
