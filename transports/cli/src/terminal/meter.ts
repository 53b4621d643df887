import cliProgress from 'cli-progress';
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
const BAR_WIDTH = 28;

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

  const describe = (): { share: number; text: string } => {
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
    const parts = [`${count(last.done)}/${count(total)} ${options.unit}`, `${count(files)}/s`];
    if (options.totalBytes !== undefined) parts.push(`${bytes(flow)}/s`);
    if (left !== undefined && last.at - started > 1000)
      parts.push(`${duration(Math.max(0, left) * 1000)} left`);
    const share =
      options.totalBytes !== undefined && options.totalBytes > 0
        ? last.bytes / options.totalBytes
        : last.done / Math.max(total, 1);
    return { share: Math.min(1, share), text: parts.join('  ') };
  };

  const record = ({ done, bytes: sent = 0, total: grown }: Reading): void => {
    const at = performance.now();
    if (grown !== undefined) total = grown;
    samples.push({ at, done, bytes: sent });
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
  };

  if (!terminal.live) return plainMeter(terminal, options.label, record, describe);

  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    fps: 12,
    // Ctrl-C is ours: the command stops in order, and stop() restores the cursor.
    gracefulExit: false,
    format: () => {
      const { share, text } = describe();
      const full = Math.round(share * BAR_WIDTH);
      const drawn =
        terminal.shade('cyan', '━'.repeat(full)) + terminal.shade('dim', '─'.repeat(BAR_WIDTH - full));
      return `${options.label.padEnd(9)} ${drawn} ${String(Math.floor(share * 100)).padStart(3)}%  ${text}`;
    },
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

function plainMeter(
  terminal: Terminal,
  label: string,
  record: (reading: Reading) => void,
  describe: () => { text: string },
): Meter {
  let shown = performance.now();
  return {
    update(reading) {
      record(reading);
      const now = performance.now();
      if (now - shown < PLAIN_EVERY_MS) return;
      shown = now;
      terminal.say(`${label.toLowerCase()}: ${describe().text.replaceAll('  ', ', ')}`);
    },
    stop: () => undefined,
  };
}
