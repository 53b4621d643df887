import { styleText } from 'node:util';
import { fold } from './format.js';
import { tableLines } from './table.js';

/** One style: a list of them is coloured even where the stream wants none (Node.js 20.20). */
type Style = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;

/** Where a command writes: results on stdout, everything else on stderr. */
export interface Terminal {
  /** True with `--json`: one JSON value on stdout, only warnings on stderr. */
  readonly json: boolean;
  /** True where stderr is a terminal that can be redrawn. */
  readonly live: boolean;
  /** Columns of stdout; infinite where it is not a terminal, so that nothing is cut in a pipe. */
  readonly columns: number;
  /** The same of stderr. */
  readonly errorColumns: number;
  /** A line of the result. */
  readonly out: (line?: string) => void;
  /** Rows of the result in aligned columns; the last column is folded to fit. Cells may carry styles. */
  readonly table: (rows: readonly (readonly string[])[]) => void;
  /** The one JSON value of `--json`. */
  readonly value: (value: unknown) => void;
  /** A line about the work, folded where it is too long; silent with `--json`. */
  readonly say: (line?: string) => void;
  /** The same in dim letters. */
  readonly note: (line: string) => void;
  /** A warning, folded likewise; shown even with `--json`. */
  readonly warn: (line: string) => void;
  /** Text in a style for stdout; plain where it is not a terminal or NO_COLOR is set. */
  readonly paint: (style: Style, text: string) => string;
  /** The same for stderr. */
  readonly shade: (style: Style, text: string) => string;
}

export function openTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process;
  const shade = (style: Style, text: string) => styleText(style, text, { stream: stderr });
  const columns = stdout.isTTY ? stdout.columns || 100 : Number.POSITIVE_INFINITY;
  const errorColumns = stderr.isTTY ? stderr.columns || 100 : Number.POSITIVE_INFINITY;
  const write = (text: string) => void stderr.write(`${fold(text, errorColumns)}\n`);
  const out = (line = '') => void stdout.write(`${line}\n`);
  const say = (line = '') => void (json || write(line));
  return {
    json,
    live: stderr.isTTY && !json && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined,
    columns,
    errorColumns,
    out,
    table: (rows) => tableLines(rows, columns).forEach((line) => out(line)),
    value: (value) => out(JSON.stringify(value, null, 2)),
    say,
    note: (line) => say(shade('dim', line)),
    warn: (line) => write(`${shade('yellow', 'warning')} ${line}`),
    paint: (style, text) => styleText(style, text, { stream: stdout }),
    shade,
  };
}

/** A reader that closes its end (`| head`) ends the output, not the command. */
export function quietBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
