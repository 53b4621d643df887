import cliProgress from 'cli-progress';
import { bytes, clip, count, duration } from './format.js';
import type { Terminal } from './terminal.js';

/** Rates and remaining time are averages over this time, and over this many steps at least: batches take longer. */
const WINDOW_MS = 10_000;
const MIN_STEPS = 4;
const PLAIN_EVERY_MS = 5_000;
/** A plain line after this time without progress shows that the command still runs. */
const PLAIN_IDLE_MS = 60_000;
const MAX_BAR = 28;
const MIN_BAR = 8;

/**
 * Shows a long step: a bar with rate and remaining time on a terminal, elsewhere a plain line every five seconds
 * where something changed, and every minute; nothing with `--json`. Where there are bytes, the remaining time is computed from them. Without a total there is
 * neither a bar nor a remaining time.
 */
export function startMeter(
  terminal: Terminal,
  options: {
    readonly label: string;
    readonly unit: string;
    readonly total?: number;
    readonly totalBytes?: number;
  },
) {
  const { label, unit, total, totalBytes } = options;
  const started = performance.now();
  const pace = new Pace(started);
  let last: Sample = { at: started, done: 0, bytes: 0 };
  let shown = { at: started, amount: '' };
  let words: string | undefined;

  const describe = (): BarText => {
    const { files, flow } = pace.until(last);
    const text = { label, rate: perSecond(files), flow: last.bytes > 0 ? `${bytes(flow)}/s` : undefined };
    if (total === undefined) return { ...text, amount: `${count(last.done)} ${unit}` };
    const [done, whole, rate] =
      totalBytes === undefined ? [last.done, total, files] : [last.bytes, totalBytes, flow];
    const left = rate > 0 && last.at - started > 1000 ? (Math.max(0, whole - done) / rate) * 1000 : undefined;
    return {
      ...text,
      share: Math.min(1, whole > 0 ? done / whole : last.done / Math.max(total, 1)),
      amount: words ?? `${count(last.done)}/${count(total)} ${unit}`,
      left: left === undefined ? undefined : `${duration(left)} left`,
    };
  };

  const bar = terminal.live
    ? new cliProgress.SingleBar({
        stream: process.stderr,
        hideCursor: true,
        clearOnComplete: true,
        fps: 12,
        // The command handles Ctrl-C, and stop() restores the cursor.
        gracefulExit: false,
        // Computed for each drawing, so that the bar fits a window that is resized.
        format: () => barLine(describe(), process.stderr.columns || 80, terminal.shade),
      })
    : undefined;
  bar?.start(Math.max(total ?? 1, 1), 0);
  return {
    /** `done` counts the unit of `total`; bytes are shown as a rate beside it. `amount` says more than `done` of `total`. */
    update(done: number, also: { readonly sent?: number; readonly amount?: string } = {}): void {
      const at = performance.now();
      words = also.amount;
      last = { at, done, bytes: also.sent ?? 0 };
      pace.add(last);
      if (bar) return bar.update(done);
      const { amount, rate, flow, left } = describe();
      if (at - shown.at < (amount === shown.amount ? PLAIN_IDLE_MS : PLAIN_EVERY_MS)) return;
      shown = { at, amount };
      const parts = [amount, rate, flow, left].filter((part) => part !== undefined);
      terminal.say(`${label.toLowerCase()}: ${parts.join(', ')}`);
    },
    stop: () => bar?.stop(),
  };
}

interface Sample {
  readonly at: number;
  readonly done: number;
  readonly bytes: number;
}

/** How fast something goes that advances in steps: an average over ten seconds and four steps at least. */
export class Pace {
  /** The start, then each step. */
  readonly #steps: Sample[];

  constructor(at: number) {
    this.#steps = [{ at, done: 0, bytes: 0 }];
  }

  add(sample: Sample): void {
    const steps = this.#steps;
    const latest = steps.at(-1);
    if (latest?.done === sample.done && latest.bytes === sample.bytes) return;
    steps.push(sample);
    while (steps.length > MIN_STEPS + 1 && sample.at - (steps[1]?.at ?? sample.at) > WINDOW_MS) steps.shift();
  }

  /** Files and bytes a second. A pause counts, so that the rate falls until the next step. */
  until({ at, done, bytes }: Sample): { readonly files: number; readonly flow: number } {
    const [first] = this.#steps as [Sample];
    const seconds = Math.max((at - first.at) / 1000, 0.001);
    return { files: (done - first.done) / seconds, flow: (bytes - first.bytes) / seconds };
  }
}

/** `120/s`; below ten with a decimal place. */
function perSecond(rate: number): string {
  return `${rate > 0 && rate < 9.95 ? rate.toFixed(1) : count(rate)}/s`;
}

/** The texts of a progress line. */
interface BarText {
  readonly label: string;
  /** From 0 to 1; undefined without a total. */
  readonly share?: number;
  /** `12/80 files` */
  readonly amount: string;
  /** Files a second, then bytes a second and time left where they are known. */
  readonly rate: string;
  readonly flow?: string | undefined;
  readonly left?: string | undefined;
}

/**
 * A progress line that fits `columns`: the bar shrinks first, then bytes, rate and remaining time are dropped in
 * that order, then the bar itself.
 */
export function barLine(
  { label, share, amount, rate, flow, left }: BarText,
  columns: number,
  paint: (style: 'cyan' | 'dim', text: string) => string,
): string {
  // The last column stays free: some terminals break the line when it is filled.
  const room = columns - 1;
  const choices = [[amount, rate, flow, left], [amount, rate, left], [amount, left], [amount]].map((parts) =>
    parts.filter((part) => part !== undefined).join('  '),
  );
  if (share === undefined) return clip(`${label.padEnd(9)} ${choices[0]}`, room);
  const percent = `${String(Math.floor(share * 100)).padStart(3)}%`;
  const barFor = (words: string): number => room - `${label.padEnd(9)}  ${percent}  ${words}`.length;
  const words = choices.find((choice) => barFor(choice) >= MIN_BAR);
  if (words === undefined) return clip(`${label} ${percent.trimStart()} ${amount}`, room);
  const width = Math.min(MAX_BAR, barFor(words));
  const full = Math.round(share * width);
  const drawn = paint('cyan', '━'.repeat(full)) + paint('dim', '─'.repeat(width - full));
  return `${label.padEnd(9)} ${drawn} ${percent}  ${words}`;
}
