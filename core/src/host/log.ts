import { pino } from 'pino';
import type { Log } from '../services.js';

const SECRET_KEYS = ['password', 'secret', 'token', 'authorization', 'api_key', 'cookie'];

/** JSON lines on standard error (standard output belongs to MCP over stdio and to `--json`). */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '••••' },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
