import { pino } from 'pino';
import { redact } from '../redact.js';
import type { Log } from '../log.js';

/** JSON lines on standard error (standard output belongs to MCP over stdio and to `--json`). */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => redact(fields) as Record<string, unknown> },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
