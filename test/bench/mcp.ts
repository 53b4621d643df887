import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { startServer } from './measure/child.js';
import { duel, type Duel } from './measure/duel.js';
import { requestBytes } from './measure/load.js';
import { COLUMNS, duelRow, TARGET, verdict } from './rest.js';

const ACCEPT = { Accept: 'application/json, text/event-stream' };
export const CALL = {
  name: 'bench_echo',
  arguments: { text: 'how are errors mapped to the codes of the table', limit: 5 },
};
const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';

export const MODERN_HEADERS = {
  ...ACCEPT,
  'MCP-Protocol-Version': MODERN,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': CALL.name,
};

export function modernBody(): object {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta } };
}

/** A call inside the session that `initialize` opened; a server without sessions gives no id, and none is sent. */
export async function legacyRequest(port: number): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
    }),
  });
  await response.text();
  const session = response.headers.get('mcp-session-id');
  return requestBytes(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL },
    { ...ACCEPT, 'MCP-Protocol-Version': LEGACY, ...(session !== null && { 'Mcp-Session-Id': session }) },
  );
}

export const mcp: Bench = {
  name: 'mcp',
  title: 'A trivial tool over MCP',
  method:
    'tools/call of the same tool on /mcp of the whole default deployment, beside the bare low-level server of the SDK ' +
    '(createMcpHandler and toNodeHandler) with one tool, a validated input and the same handler. Modern: revision ' +
    `${MODERN}. Legacy: revision ${LEGACY}, ours inside a session, the peer's without one. Slices as for REST. No authentication.`,
  async run(report) {
    const dataDir = await mkdtemp(join(tmpdir(), 'service-mcp-bench-'));
    const ours = await startServer('service', dataDir);
    const peer = await startServer('bare-mcp');
    const duels: [string, Duel][] = [];
    try {
      report('modern …');
      const request = requestBytes('/mcp', modernBody(), MODERN_HEADERS);
      duels.push(['modern', await duel({ server: ours, request }, { server: peer, request })]);
      report('legacy …');
      const [own, bare] = await Promise.all([legacyRequest(ours.port), legacyRequest(peer.port)]);
      duels.push(['legacy', await duel({ server: ours, request: own }, { server: peer, request: bare })]);
    } finally {
      await Promise.all([ours.stop(), peer.stop()]);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    return {
      tables: [
        {
          caption: 'Calls a second',
          columns: COLUMNS,
          rows: duels.map(([name, result]) => duelRow(name, result)),
        },
      ],
      reading: duels.map(([name, result]) => verdict(name, result, TARGET)),
    };
  },
};
