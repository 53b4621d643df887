import Mocha from 'mocha';
import { REMOVED_GUARD, type Outcome, type Ran, type Request } from './guard-messages.js';
import { GUARDS, type Guard } from './guards.js';

// Nothing imports this module: it answers the process that starts it, and Mocha's own worker has such a parent, too.

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

process.on('message', (request: Request) => {
  answer(request).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => process.send?.({ passed: [], failed: [], hangs: false, trouble: String(error) }),
  );
});
// What tests leave behind must not keep it alive.
process.once('disconnect', () => process.exit());
