import { styleText } from 'node:util';
import { systemReason } from '@service-mcp/core/wire';
import { EXIT } from '../failure.js';
import { fold, printableLines, tableLines } from './format.js';

/** One style: a list of them is coloured even where the stream wants none (Node.js 20.20). */
type Style = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;

/** The output of a command: results on stdout, everything else on stderr. */
export type Terminal = ReturnType<typeof openTerminal>;

/** `json`: true with `--json`: one JSON value on stdout, only warnings on stderr. */
export function openTerminal(json: boolean) {
  const { stdout, stderr } = process;
  const paint = (style: Style, text: string) => styleText(style, text, { stream: stdout });
  const shade = (style: Style, text: string) => styleText(style, text, { stream: stderr });
  // Infinite where it is not a terminal, so that nothing is cut in a pipe.
  const columns = stdout.isTTY ? stdout.columns || 100 : Infinity;
  const errorColumns = stderr.isTTY ? stderr.columns || 100 : Infinity;
  const write = (text: string) => void stderr.write(`${fold(text, errorColumns)}\n`);
  const out = (line = '') => void stdout.write(`${line}\n`);
  const say = (line = '') => void (json || write(line));
  return {
    json,
    /** True where stderr is a terminal that can be redrawn. */
    live: stderr.isTTY && !json && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined,
    columns,
    errorColumns,
    /** A line of the result. */
    out,
    /** Text of a server: as it is in a pipe; on a terminal without characters that control it. */
    passage: (text: string) => out(stdout.isTTY ? printableLines(text) : text),
    /** Rows of the result in aligned columns; the last column is folded to fit. Cells may carry styles. */
    table: (rows: readonly (readonly string[])[]) => tableLines(rows, columns).forEach((line) => out(line)),
    /** The one JSON value of `--json`. */
    value: (value: unknown) => out(JSON.stringify(value, null, 2)),
    /** A line about the work, folded where it is too long; silent with `--json`. */
    say,
    /** The same in dim letters. */
    note: (line: string) => say(shade('dim', line)),
    /** A line of an error, folded likewise; shown even with `--json`. */
    write,
    /** A warning, likewise. */
    warn: (line: string) => write(`${shade('yellow', 'warning')} ${line}`),
    /** Text in a style for stdout; plain where it is not a terminal or NO_COLOR is set. */
    paint,
    /** The same for stderr. */
    shade,
  };
}

/**
 * Handles failed writes to stdout and stderr. A reader that closes its end (`| head`) ends the output, not the command. Any
 * other failure of stdout, such as a full disk, loses a result: the process ends with one line and exit code 1. What is lost
 * on stderr is only told, and ends nothing.
 */
export function watchOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const reason = systemReason(error.code ?? error.message);
    process.stderr.write(
      `error The standard output cannot be written (${reason}). Free space there, or write elsewhere.\n`,
      () => process.exit(EXIT.failed),
    );
  });
}
