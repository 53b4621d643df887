import cliProgress from 'cli-progress';
import { barLine, type BarText } from './bar.js';
import { bytes, count, duration } from './format.js';
import type { Terminal } from './terminal.js';

/** How far a long step is. `done` counts the unit of `total`; bytes are shown as a rate beside it. */
interface Reading {
  readonly done: number;
  readonly bytes?: number;
  /** How much there is by now, where that is still growing. */
  readonly total?: number;
}

export interface Meter {
  update(reading: Reading): void;
  stop(): void;
}

/** Rates and remaining time look back this far, so that they follow a change of pace and do not jump. */
const WINDOW_MS = 10_000;
const PLAIN_EVERY_MS = 5_000;

/**
 * Shows a long step: a bar with rate and remaining time on a terminal, a plain line every five seconds
 * elsewhere, nothing with `--json`. Where bytes are told, the remaining time follows bytes.
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
  const samples: { at: number; done: number; bytes: number }[] = [{ at: started, done: 0, bytes: 0 }];
  let total = options.total;

  const describe = (): BarText => {
    const first = samples[0] ?? { at: started, done: 0, bytes: 0 };
    const last = samples.at(-1) ?? first;
    const seconds = Math.max((last.at - first.at) / 1000, 0.001);
    const files = (last.done - first.done) / seconds;
    const flow = (last.bytes - first.bytes) / seconds;
    const left =
      options.totalBytes !== undefined && flow > 0
        ? (options.totalBytes - last.bytes) / flow
        : files > 0
          ? (total - last.done) / files
          : undefined;
    const share =
      options.totalBytes !== undefined && options.totalBytes > 0
        ? last.bytes / options.totalBytes
        : last.done / Math.max(total, 1);
    const settled = left !== undefined && last.at - started > 1000;
    return {
      label: options.label,
      share: Math.min(1, share),
      amount: `${count(last.done)}/${count(total)} ${options.unit}`,
      rate: `${count(files)}/s`,
      flow: options.totalBytes === undefined ? undefined : `${bytes(flow)}/s`,
      left: settled ? `${duration(Math.max(0, left) * 1000)} left` : undefined,
    };
  };

  const record = ({ done, bytes: sent = 0, total: grown }: Reading): void => {
    const at = performance.now();
    if (grown !== undefined) total = grown;
    samples.push({ at, done, bytes: sent });
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
  };

  if (!terminal.live) return plainMeter(terminal, record, describe);

  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    fps: 12,
    // Ctrl-C is ours: the command stops in order, and stop() restores the cursor.
    gracefulExit: false,
    // Asked anew for each drawing, so that it follows a window that changes its size.
    format: () => barLine(describe(), process.stderr.columns || 80, terminal.shade),
  });
  bar.start(Math.max(total, 1), 0);
  return {
    update(reading) {
      record(reading);
      bar.setTotal(Math.max(total, 1));
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
