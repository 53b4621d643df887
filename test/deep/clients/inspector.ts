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

/** Exit code of the Inspector for a failed or missing tool. */
const TOOL_ERROR = 5;

interface Printed {
  readonly result?: ToolAnswer & { readonly tools?: readonly Listed[] };
  readonly error?: { readonly code: string; readonly message: string };
}

/** The command line of the Inspector, in one of the eras that it speaks. It prints no progress. */
export function inspector(era: 'legacy' | 'auto' | 'modern', program: () => Program): ClientDriver {
  return {
    name: `the Inspector's command line, ${era}`,
    showsProgress: false,
    cancels: ['http'],
    open(server) {
      const complaints: string[] = [];
      const ask = (method: string, more: readonly string[], signal?: AbortSignal) =>
        runProgram(
          program(),
          argumentsFor(server, ['--protocol-era', era, '--method', method, ...more]),
          signal,
        );
      return Promise.resolve({
        async tools() {
          const { code, stdout, stderr } = await ask('tools/list', ['--strict']);
          assert.equal(code, 0, stderr);
          if (stderr !== '') complaints.push(stderr);
          return (parsed(stdout) as Printed).result?.tools ?? [];
        },
        async call(tool, args, { signal } = {}) {
          const given = ['--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
          return endingPrinted(await ask('tools/call', given, signal));
        },
        complaints: () => complaints,
        close: () => Promise.resolve(),
      });
    },
  };
}

function endingPrinted({ code, stdout, stderr }: Ended): Ending {
  // Output about the login comes first.
  const [failure] = stderr.match(/^\{"error":.*$/m) ?? [];
  const { error } = failure === undefined ? {} : (parsed(failure) as Printed);
  const { result } = stdout === '' ? {} : (parsed(stdout) as Printed);
  assert.equal(code, error ? TOOL_ERROR : 0, stderr);
  if (result) {
    assert.equal(error?.code, result.isError ? 'tool_is_error' : undefined);
    return endingOf(result);
  }
  assert.ok(error, 'it printed neither a result nor an error');
  return { kind: 'refusal', text: error.message };
}

function argumentsFor(server: Server, rest: readonly string[]): string[] {
  const options = ['--format', 'json', ...rest];
  if (server.kind === 'http') {
    const headers = Object.entries(server.headers).flatMap(([name, value]) => [
      '--header',
      `${name}: ${value}`,
    ]);
    return ['--cli', server.url, '--transport', 'http', ...headers, ...options];
  }
  const env = Object.entries(server.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return ['--cli', ...env, '--transport', 'stdio', ...options, '--', server.command, ...server.args];
}
