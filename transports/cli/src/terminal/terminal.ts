import { styleText } from 'node:util';
import { fold } from './format.js';

/** One style: a list of them is coloured even where the stream wants none (Node.js 20.20). */
type Style = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;

/** Where a command writes: results on stdout, everything else on stderr. */
export interface Terminal {
  /** True with `--json`: one JSON value on stdout, nothing chatty on stderr. */
  readonly json: boolean;
  /** True where stderr is a terminal that can be redrawn. */
  readonly live: boolean;
  /** Columns of stdout; without end where it is not a terminal, so that nothing is cut in a pipe. */
  readonly columns: number;
  /** The same of stderr. */
  readonly errorColumns: number;
  /** A line of the result. */
  readonly out: (line?: string) => void;
  /** The one JSON value of `--json`. */
  readonly value: (value: unknown) => void;
  /** A line about the work, broken at spaces where it is too long; silent with `--json`. */
  readonly say: (line?: string) => void;
  /** A warning, broken likewise; shown even with `--json`. */
  readonly warn: (line: string) => void;
  /** Text in a style for stdout; plain where it is no terminal or NO_COLOR is set. */
  readonly paint: (style: Style, text: string) => string;
  /** The same for stderr. */
  readonly shade: (style: Style, text: string) => string;
}

export function openTerminal(json: boolean): Terminal {
  const { stdout, stderr } = process;
  const paint = (style: Style, text: string) => styleText(style, text, { stream: stdout });
  const shade = (style: Style, text: string) => styleText(style, text, { stream: stderr });
  const errorColumns = stderr.isTTY ? stderr.columns || 100 : Number.POSITIVE_INFINITY;
  const write = (text: string) => void stderr.write(`${fold(text, errorColumns)}\n`);
  return {
    json,
    live: stderr.isTTY && !json && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined,
    columns: stdout.isTTY ? stdout.columns || 100 : Number.POSITIVE_INFINITY,
    errorColumns,
    out: (line = '') => void stdout.write(`${line}\n`),
    value: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    say: (line = '') => void (json || write(line)),
    warn: (line) => write(`${shade('yellow', 'warning')} ${line}`),
    paint,
    shade,
  };
}

/** A reader that goes away (`| head`) ends the output, not the command, and is no error. */
export function quietBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
