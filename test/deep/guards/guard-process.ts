import Mocha from 'mocha';
import { GUARDS, type Guard } from './guards.js';

/**
 * The property of `globalThis` with the index of the guard that is removed now, and the environment variable that tells it to
 * processes that a test starts.
 */
export const REMOVED_GUARD = 'TEST_REMOVED_GUARD';

/** What the process is asked to run: the tests of all guards, or that of the guard of this index without the guard. */
export interface Request {
  readonly without?: number;
}

/** A test that ran, or a hook that failed. */
export interface Ran {
  /** As in the list of guards. */
  readonly test: string;
  readonly fullTitle: string;
  readonly isHook: boolean;
}

/** The outcome of a run. */
export interface Outcome {
  readonly passed: readonly Ran[];
  readonly failed: readonly Ran[];
  /** A test did not end in its time, and may still run. */
  readonly hangs: boolean;
  /** Messages of failures, and other problems, such as a file that does not load. */
  readonly trouble: string;
}

const WHOLE_MS = 120_000;
/** A lost guard may hang. */
const WITHOUT_MS = 30_000;

class Silent extends Mocha.reporters.Base {}

/** The suites of each file, which are loaded once and run as often as asked. */
const loaded = new Map<string, Mocha>();

async function suitesOf(test: string): Promise<Mocha> {
  const known = loaded.get(test);
  if (known) return known;
  const mocha = new Mocha({ reporter: Silent, timeout: WHOLE_MS }).cleanReferencesAfterRun(false);
  mocha.addFile(test);
  await mocha.loadFilesAsync();
  loaded.set(test, mocha);
  return mocha;
}

/** Runs the tests of a file with one of these texts in their full titles. */
async function run(test: string, titled: readonly string[], isWithout: boolean): Promise<Outcome> {
  const mocha = await suitesOf(test);
  const [from, to] = isWithout ? [WHOLE_MS, WITHOUT_MS] : [WITHOUT_MS, WHOLE_MS];
  mocha.suite.eachTest((each) => {
    if (each.timeout() === from) each.timeout(to);
  });
  mocha.grep(new RegExp(titled.map(literal).join('|')));
  mocha.bail(isWithout);
  const passed: Ran[] = [];
  const failed: Ran[] = [];
  const messages: string[] = [];
  let hangs = false;
  const ran = (each: Mocha.Runnable): Ran => ({
    test,
    fullTitle: each.fullTitle(),
    isHook: each instanceof Mocha.Hook,
  });
  await new Promise<void>((resolve) => {
    mocha
      .run(() => resolve())
      .on('pass', (each) => passed.push(ran(each)))
      .on('fail', (each, error: NodeJS.ErrnoException) => {
        failed.push(ran(each));
        messages.push(error.message);
        hangs ||= error.code === 'ERR_MOCHA_TIMEOUT';
      });
  });
  return { passed, failed, hangs, trouble: messages.join('\n') };
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

async function answer({ without }: Request): Promise<Outcome> {
  const guards = without === undefined ? GUARDS : GUARDS.slice(without, without + 1);
  Object.assign(globalThis, { [REMOVED_GUARD]: without });
  if (without === undefined) delete process.env[REMOVED_GUARD];
  else process.env[REMOVED_GUARD] = String(without);
  const outcomes: Outcome[] = [];
  for (const [test, of] of byTest(guards))
    outcomes.push(
      await run(
        test,
        of.map(({ titled }) => titled),
        without !== undefined,
      ),
    );
  return {
    passed: outcomes.flatMap(({ passed }) => passed),
    failed: outcomes.flatMap(({ failed }) => failed),
    hangs: outcomes.some(({ hangs }) => hangs),
    trouble: outcomes.map(({ trouble }) => trouble).join('\n'),
  };
}

function byTest(guards: readonly Guard[]): Map<string, Guard[]> {
  const found = new Map<string, Guard[]>();
  for (const guard of guards) found.set(guard.test, [...(found.get(guard.test) ?? []), guard]);
  return found;
}

if (process.send) {
  process.on('message', (request: Request) => {
    answer(request).then(
      (outcome) => process.send?.(outcome),
      (error: unknown) => process.send?.({ passed: [], failed: [], hangs: false, trouble: String(error) }),
    );
  });
  // What tests leave behind must not keep it alive.
  process.once('disconnect', () => process.exit());
}
