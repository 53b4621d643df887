import assert from 'node:assert/strict';
import {
  endingOf,
  type ClientDriver,
  type Ending,
  type Listed,
  type Server,
  type ToolAnswer,
} from '../../clients/support/client.js';
import { parsed, runProgram, type Ended, type Program } from './program.js';

/** The part of its JSON that reports a failure. */
interface Refused {
  readonly error: string;
}

/** A command line of its own over the SDK's 1.x client. It asks for no progress. */
export function mcporter(program: () => Program): ClientDriver {
  return {
    name: 'mcporter',
    showsProgress: false,
    cancels: ['http'],
    open(server) {
      const complaints: string[] = [];
      const heard = (ended: Ended): Ended => {
        if (ended.stderr !== '') complaints.push(ended.stderr);
        return ended;
      };
      return Promise.resolve({
        async tools() {
          const args = ['list', ...argumentsFor(server), '--json'];
          const { code, stdout, stderr } = heard(await runProgram(program(), args));
          assert.equal(code, 0, stderr);
          return (parsed(stdout) as { readonly tools: readonly Listed[] }).tools;
        },
        async call(tool, args, { signal } = {}) {
          const given = [tool, '--args', JSON.stringify(args), '--output', 'json'];
          return endingPrinted(
            heard(await runProgram(program(), ['call', ...argumentsFor(server), ...given], signal)),
          );
        },
        complaints: () => complaints,
        close: () => Promise.resolve(),
      });
    },
  };
}

/** It prints the data of a result alone, and the whole of a failed one. */
function endingPrinted({ code, stdout, stderr }: Ended): Ending {
  const printed = parsed(stdout);
  if (code === 0) return { kind: 'result', data: printed };
  if (typeof (printed as Refused).error === 'string')
    return { kind: 'refusal', text: (printed as Refused).error };
  const answer = printed as ToolAnswer;
  assert.equal(answer.isError, true, stderr);
  return endingOf(answer);
}

function argumentsFor(server: Server): string[] {
  const named = ['--name', 'service'];
  if (server.kind === 'http') {
    const headers = Object.entries(server.headers).flatMap(([name, value]) => [
      '--header',
      `${name}=${value}`,
    ]);
    const login = headers.length > 0 ? ['--no-oauth'] : [];
    return ['--http-url', server.url, '--allow-http', ...login, ...headers, ...named];
  }
  const args = server.args.flatMap((arg) => ['--stdio-arg', arg]);
  const env = Object.entries(server.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return ['--stdio', server.command, ...args, ...env, ...named];
}
