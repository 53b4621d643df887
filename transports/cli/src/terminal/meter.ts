import cliProgress from 'cli-progress';
import { barLine, type BarText } from './bar.js';
import { bytes, count, duration } from './format.js';
import type { Terminal } from './terminal.js';

/** The progress of a long step. `done` counts the unit of `total`; bytes are shown as a rate beside it. */
interface Reading {
  readonly done: number;
  readonly bytes?: number;
}

export interface Meter {
  update(reading: Reading): void;
  stop(): void;
}

/** Rates and remaining time are averages over this time: they follow a change of pace and do not jump. */
const WINDOW_MS = 10_000;
const PLAIN_EVERY_MS = 5_000;

/**
 * Shows a long step: a bar with rate and remaining time on a terminal, a plain line every five seconds
 * elsewhere, nothing with `--json`. Where there are bytes, the remaining time is computed from them.
 */
export function startMeter(
  terminal: Terminal,
  options: {
    readonly label: string;
    readonly unit: string;
    readonly total: number;
    readonly totalBytes?: number;
  },
): Meter {
  if (terminal.json) return { update: () => undefined, stop: () => undefined };
  const started = performance.now();
  const start = { at: started, done: 0, bytes: 0 };
  const samples = [start];
  const { total } = options;

  const describe = (): BarText => {
    const first = samples[0] ?? start;
    const last = samples.at(-1) ?? start;
    const seconds = Math.max((last.at - first.at) / 1000, 0.001);
    const files = (last.done - first.done) / seconds;
    const flow = (last.bytes - first.bytes) / seconds;
    const byBytes = options.totalBytes !== undefined;
    const [done, whole, rate] = byBytes ? [last.bytes, options.totalBytes, flow] : [last.done, total, files];
    return {
      label: options.label,
      share: Math.min(1, whole > 0 ? done / whole : last.done / Math.max(total, 1)),
      amount: `${count(last.done)}/${count(total)} ${options.unit}`,
      rate: `${count(files)}/s`,
      flow: byBytes ? `${bytes(flow)}/s` : undefined,
      left:
        rate > 0 && last.at - started > 1000
          ? `${duration((Math.max(0, whole - done) / rate) * 1000)} left`
          : undefined,
    };
  };

  const record = ({ done, bytes: sent = 0 }: Reading): void => {
    const at = performance.now();
    samples.push({ at, done, bytes: sent });
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
  };

  if (!terminal.live) return plainMeter(terminal, record, describe);

  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    fps: 12,
    // The command handles Ctrl-C, and stop() restores the cursor.
    gracefulExit: false,
    // Computed for each drawing, so that the bar fits a window that is resized.
    format: () => barLine(describe(), process.stderr.columns || 80, terminal.shade),
  });
  bar.start(Math.max(total, 1), 0);
  return {
    update(reading) {
      record(reading);
      bar.update(reading.done);
    },
    stop: () => bar.stop(),
  };
}

function plainMeter(terminal: Terminal, record: (reading: Reading) => void, describe: () => BarText): Meter {
  let shown = performance.now();
  return {
    update(reading) {
      record(reading);
      const now = performance.now();
      if (now - shown < PLAIN_EVERY_MS) return;
      shown = now;
      const { label, amount, rate, flow, left } = describe();
      const parts = [amount, rate, flow, left].filter((part) => part !== undefined);
      terminal.say(`${label.toLowerCase()}: ${parts.join(', ')}`);
    },
    stop: () => undefined,
  };
}
