import cliProgress from 'cli-progress';
import { bytes, clip, count, duration } from './format.js';
import type { Terminal } from './terminal.js';

/** Rates and remaining time are averages over this time: they follow a change of pace and do not jump. */
const WINDOW_MS = 10_000;
const PLAIN_EVERY_MS = 5_000;
const MAX_BAR = 28;
const MIN_BAR = 8;

/**
 * Shows a long step: a bar with rate and remaining time on a terminal, a plain line every five seconds
 * elsewhere, nothing with `--json`. Where there are bytes, the remaining time is computed from them. Without a total there is
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
  const start = { at: started, done: 0, bytes: 0 };
  const samples = [start];
  let shown = started;
  let words: string | undefined;

  const describe = (): BarText => {
    const first = samples[0] ?? start;
    const last = samples.at(-1) ?? start;
    const seconds = Math.max((last.at - first.at) / 1000, 0.001);
    const files = (last.done - first.done) / seconds;
    const flow = (last.bytes - first.bytes) / seconds;
    const text = { label, rate: `${count(files)}/s`, flow: last.bytes > 0 ? `${bytes(flow)}/s` : undefined };
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
      samples.push({ at, done, bytes: also.sent ?? 0 });
      while (samples.length > 2 && at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
      if (bar) return bar.update(done);
      if (at - shown < PLAIN_EVERY_MS) return;
      shown = at;
      const { amount, rate, flow, left } = describe();
      const parts = [amount, rate, flow, left].filter((part) => part !== undefined);
      terminal.say(`${label.toLowerCase()}: ${parts.join(', ')}`);
    },
    stop: () => bar?.stop(),
  };
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
