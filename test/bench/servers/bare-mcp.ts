import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { echo, EchoInput, EchoOutput, type Echo } from './echo.js';
import { serveParent } from './parent.js';

/** The SDK alone: its low-level server with one tool, a validated input and the same handler, both eras, no session. */
type Schema = { type: 'object' };

const TOOL = {
  name: 'bench_echo',
  inputSchema: EchoInput as unknown as Schema, // TypeBox types are JSON Schema at run time
  outputSchema: EchoOutput as unknown as Schema, // as above
};
const isEcho = new Ajv2020({ useDefaults: true }).compile<Echo>(EchoInput);

function build(): Server {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const input: unknown = params.arguments ?? {};
    if (params.name !== TOOL.name || !isEcho(input)) {
      return { isError: true, content: [{ type: 'text', text: 'wrong arguments' }] };
    }
    const structuredContent = { ...(await echo(input)) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

const handle = toNodeHandler(createMcpHandler(build));
const server = createServer((req, res) => void handle(req as Parameters<typeof handle>[0], res)).listen(
  0,
  '127.0.0.1',
  () => {
    serveParent((server.address() as AddressInfo).port, () => server.closeAllConnections());
  },
);
