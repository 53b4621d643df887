import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REMOVED_GUARD, type Outcome, type Request } from './guard-messages.js';
import { GUARDS, type Guard } from './guards.js';
import { scratchCopy } from './scratch-copy.js';

/** Longer than all guarded tests take together. */
const ANSWER_MS = 480_000;

/** Runs the tests of guards in one process, where each guard can be removed while it runs. */
export interface GuardRunner {
  /** Runs the test of a guard without the guard, up to the first failure. Throws where the list of guards is out of date. */
  without(guard: Guard): Promise<Outcome>;
  /** Runs the tests of all guards with every guard in place, in the process that ran them without. */
  whole(): Promise<Outcome>;
  end(): Promise<void>;
}

/** Copies the build, makes each guard of the copy removable and starts a process of it. */
export async function startGuardRunner(): Promise<GuardRunner> {
  const copy = await scratchCopy();
  const outdated = new Map<Guard, unknown>();
  for (const [index, guard] of GUARDS.entries())
    await copy
      .patch(guard.file, guard.text, removable(guard, index))
      .catch((error: unknown) => outdated.set(guard, error));
  let child: ChildProcess | undefined;
  let trouble = '';
  /** One that a lost guard has ended, or in which a test may still run, is replaced. */
  const running = (): ChildProcess => {
    if (child?.connected) return child;
    child = fork(join(copy.folder, 'test/dist/deep/guards/guard-process.js'), {
      cwd: copy.folder,
      // Guards go from the compiled modules: processes that tests start must run these too.
      env: { ...process.env, NODE_OPTIONS: '--conditions=unbundled' },
      execArgv: ['--conditions=unbundled'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (chunk: Buffer) => (trouble += chunk.toString()));
    return child;
  };
  const ask = async (request: Request): Promise<Outcome> => {
    trouble = '';
    const at = running();
    const ended = new AbortController();
    at.once('exit', () => ended.abort());
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const answer = once(at, 'message', { signal }) as Promise<[Outcome]>;
      at.send(request);
      const [outcome] = await answer;
      if (outcome.hangs) {
        at.kill('SIGKILL');
        await once(at, 'exit');
      }
      return { ...outcome, trouble: `${outcome.trouble}\n${trouble}` };
    } catch {
      at.kill('SIGKILL');
      child = undefined;
      return { passed: [], failed: [], hangs: false, trouble: trouble || 'it reported nothing' };
    }
  };
  return {
    async without(guard) {
      if (outdated.has(guard)) throw outdated.get(guard);
      return ask({ without: GUARDS.indexOf(guard) });
    },
    whole: () => ask({}),
    async end() {
      if (child?.connected) {
        const exited = once(child, 'exit');
        child.disconnect();
        await exited;
      }
      await copy.remove();
    },
  };
}

/** The code of a guard that asks, each time it runs, whether it is removed: processes that a test starts inherit the answer. */
function removable({ text, by }: Guard, index: number): string {
  const removed = `((globalThis.${REMOVED_GUARD} ?? process.env.${REMOVED_GUARD}) == ${index})`;
  const code = by.includes('REMOVED') ? by : `(REMOVED ? (${by}) : (${text}))`;
  return code.replaceAll('REMOVED', () => removed);
}
