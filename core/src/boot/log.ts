import { pino, type DestinationStream } from 'pino';
import { redact } from '../redact.js';
import type { Log } from '../log.js';
import { isOutage } from '../storage/outages.js';

/** The numbers of levels in pino. */
const DEBUG = 20;
const FATAL = 60;
/** Characters of lines that wait for a place that takes no writes, such as a full disk; later ones are lost. */
const WAITING = 1024 * 1024;

/** The log of a host, which alone may write why its process ends. */
export interface HostLog extends Log {
  fatal(fields: object, message: string): void;
  /** False for every level of a silent log. */
  isLevelEnabled(level: 'fatal'): boolean;
}

/**
 * JSON lines on standard error (standard output belongs to MCP over stdio and to `--json`). Failures that an outage of
 * the database causes are of level debug: the outage itself is logged once, where it is found. `base` is in each line.
 */
export function createLog(level: string, base: object | null = null): HostLog {
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(args, method, level) {
          const [fields, ...rest] = args as [{ readonly err?: unknown }, ...unknown[]]; // Log has no other form
          if (level > DEBUG && level < FATAL && isOutage(fields.err))
            this.debug(fields, ...(rest as [string]));
          else method.apply(this, args);
        },
      },
      // `redact` gives an error its name; pino's own serialiser would name the class of that plain object.
      serializers: { err: (error: unknown) => error },
      formatters: { log: (fields) => redact(fields) as Record<string, unknown> },
    },
    standardError(),
  );
}

/** A log that cannot be written ends nothing: its lines wait for the next one that can be. */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: WAITING }).on('error', () => undefined);
}
