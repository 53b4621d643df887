import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import type { ClientName } from '@service-mcp/transport-mcp/client-settings';
import { installPackages } from '../clients/install.js';
import type { Home } from './home.js';

/** Whether the agent connected to a server, by the server's name. */
export type Connected = Readonly<Record<string, boolean>>;

/** A coding agent, driven by its own commands, which ask no model. Its word on the command line is `id`. */
export interface Agent {
  readonly id: ClientName;
  /** The program in the folder of installed packages. */
  readonly program: readonly string[];
  /** Keeps it from reporting, updating and asking; may write files of the agent's own into the home. */
  readonly quiet: (home: Home) => Promise<Readonly<Record<string, string>>>;
  /** The command that adds a server, with a header where it takes one. */
  readonly add: (name: string, url: string, header: string, value: string) => string;
  /** Connects to every server in its settings. */
  readonly connect: (run: Run) => Promise<Connected>;
  /** Logs in to a server, through the browser of the home, where a command does. */
  readonly login?: (run: Run, name: string) => Promise<unknown>;
}

export interface RunOptions {
  /** Gives it a terminal. */
  readonly terminal?: boolean;
  /** What a person types next, asked with the output so far whenever there is more. */
  readonly type?: (said: string) => string;
  /** Ends it once its output matches. */
  readonly until?: RegExp;
}

/** Runs a line of the shell, as a person would type it, to its end; resolves to its output. Rejects where it fails. */
export type Run = (line: string, options?: RunOptions) => Promise<string>;

const PACKAGES = [
  '@anthropic-ai/claude-code@2.1.330',
  '@openai/codex@0.169.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
];

/** Puts an agent on the PATH of a home. */
export async function runnerIn(home: Home, { id, program, quiet }: Agent): Promise<Run> {
  const installed = join(await installPackages(PACKAGES), 'node_modules', ...program);
  const command = installed.endsWith('.js') ? `"${process.execPath}" "${installed}"` : `"${installed}"`;
  await home.write(`bin/${id}`, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(join(home.path, 'bin', id), 0o755);
  const env = { ...home.env, ...(await quiet(home)) };
  return async (line, { terminal = false, type, until } = {}) => {
    const [shell, args] = terminal ? ['script', ['-qefc', line, '/dev/null']] : ['sh', ['-c', line]];
    const child = spawn(shell, args, { cwd: home.path, env, stdio: 'pipe', detached: true });
    const group = child.pid ?? 0;
    home.groups.add(group);
    const closed = once(child, 'close') as Promise<[number | null]>;
    const errors = text(child.stderr);
    let printed = '';
    const said = () => stripVTControlCharacters(printed);
    const step = () => {
      if (until?.test(said())) process.kill(-group, 'SIGKILL');
      else if (type) child.stdin.write(type(said()));
    };
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      step();
    });
    child.stdin.on('error', () => undefined); // it ended meanwhile
    if (type) step();
    else child.stdin.end();
    const [code] = await closed;
    home.groups.delete(group);
    if (code === 0 || until?.test(said())) return said();
    throw new Error(`"${line}" ended with ${code}: ${said()}\n${await errors}`);
  };
}
