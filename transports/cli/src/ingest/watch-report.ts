import { clip, count, duration, plural, printable } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import type { IndexStatus } from './index-status.js';
import type { Tally } from './tally.js';

interface Update {
  readonly tally: Tally;
  readonly removed: number;
  /** Files in the folder after it. */
  readonly files: number;
  readonly durationMs: number;
}

export type WatchReport = ReturnType<typeof reportWatch>;

/**
 * Reports a watch: a status line on a terminal, a line for each event elsewhere, a JSON object for each event
 * with `--json`.
 */
export function reportWatch(terminal: Terminal, folder: string) {
  const started = performance.now();
  const total = { updates: 0, sent: 0, removed: 0, rejected: 0 };
  let files = 0;
  let pending = 0;
  let last = '';
  let away: string | undefined;
  let isIndexing = true;

  const clear = () => void (terminal.live && process.stderr.write('\r\u001b[2K'));
  const draw = () => {
    if (!terminal.live) return;
    const parts = [plural(files, 'file')];
    if (pending > 0) parts.push(`${count(pending)} being indexed`);
    if (last !== '') parts.push(`last change ${last}`);
    const state = away === undefined ? 'watching' : `service away: ${away}`;
    // The last column stays free: some terminals break the line when it is filled.
    const columns = (process.stderr.columns || 80) - 1;
    const text = clip(` ${printable(folder)}  ${parts.join('  ')}`, Math.max(10, columns - state.length));
    process.stderr.write(
      `\r\u001b[2K${terminal.shade(away === undefined ? 'cyan' : 'yellow', state)}${text}`,
    );
  };
  const line = (text = '') => {
    clear();
    const said = terminal.say(text);
    draw();
    return said;
  };
  /** One event: an object, a plain line, or the status line drawn again. */
  const tell = (event: string, value: object, text: string): void => {
    if (terminal.json) terminal.out(JSON.stringify({ event, at: new Date().toISOString(), ...value }));
    else if (terminal.live) draw();
    else terminal.out(`${clock()}  ${text}`);
  };

  return {
    line,

    /** The first ingest is done. */
    watching(found: number): void {
      files = found;
      tell('watching', { folder, files }, `watching ${printable(folder)}, ${plural(files, 'file')}`);
    },

    /** Changes were sent; nothing is reported where there were none. */
    updated({ tally, removed, files: now, durationMs }: Update): void {
      files = now;
      const { sent, rejections, unchanged } = tally;
      const rejected = rejections.total;
      if (sent + removed + rejected === 0) return;
      total.updates += 1;
      total.sent += sent;
      total.removed += removed;
      total.rejected += rejected;
      isIndexing = true;
      const words = [`${count(sent)} sent`, `${count(removed)} removed`];
      if (rejected > 0) words.push(`${count(rejected)} rejected`);
      last = `${clock()} (${words.join(', ')})`;
      const value = { sent, unchanged, removed, rejected, files, duration_ms: Math.round(durationMs) };
      tell('updated', value, words.join(', '));
      for (const { path, reason } of rejections.first)
        line(`${terminal.shade('yellow', 'rejected')} ${printable(path)}: ${printable(reason)}`);
    },

    /** The state of the index; told when nothing waits in it any more. */
    indexed({ state, pending: waiting, indexed, failed }: IndexStatus): void {
      pending = waiting;
      if (pending > 0 || !isIndexing) return draw();
      isIndexing = false;
      const text = `indexed ${plural(indexed, 'file')}${failed > 0 ? `, ${count(failed)} failed` : ''}`;
      tell('indexed', { state, indexed, failed }, text);
    },

    away(reason: string, waitMs: number): void {
      away = printable(reason);
      const value = { reason, retry_ms: Math.round(waitMs) };
      tell('away', value, `service away: ${away} Trying again in ${duration(waitMs)}.`);
    },

    back(): void {
      if (away === undefined) return;
      away = undefined;
      tell('back', {}, 'the service is back; the folder was compared with it');
    },

    /** Removes the status line. */
    close: clear,

    /** The summary of a watch that ended by a signal. */
    stopped(): void {
      const durationMs = performance.now() - started;
      if (terminal.json) return tell('stopped', { ...total, files, duration_ms: Math.round(durationMs) }, '');
      const { updates, sent, removed, rejected } = total;
      const words = [`${count(sent)} sent`, `${count(removed)} removed`];
      if (rejected > 0) words.push(`${count(rejected)} rejected`);
      terminal.out(
        `Stopped after ${duration(durationMs)}: ${plural(updates, 'update')}, ${words.join(', ')}. Run it again to go on.`,
      );
    },
  };
}

/** The time of day: `14:03:59`. */
function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
