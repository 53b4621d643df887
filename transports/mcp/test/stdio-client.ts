import { PassThrough } from 'node:stream';
import { serveMcpStdio } from '@service-mcp/transport-mcp';
import type { Running } from './fixture.js';
import type { Message } from './streams.js';

/** A stdio connection, with the client end of it. */
export function connect(
  { host }: Running,
  options: { drainMs?: number; onError?: (error: Error) => void } = {},
) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const makeCall = () => host.call({ surface: 'mcp' });
  const connection = serveMcpStdio(host.catalog, makeCall, { version: '9.9.9', stdin, stdout, ...options });
  const lines = stdout.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let waiting: string[] = [];
  const next = async (): Promise<Message> => {
    while (waiting.length === 0)
      waiting = String((await lines.next()).value)
        .split('\n')
        .filter(Boolean);
    return JSON.parse(waiting.shift() ?? '') as Message; // throws for a line outside the protocol
  };
  const write = (message: object) => stdin.write(`${JSON.stringify(message)}\n`);
  return { stdin, connection, next, write };
}
