import { readJson, type Connection } from '../connection/connection.js';
import { isRecord } from '../connection/refusals.js';

const PROBE_MS = 2_000;

/** Does the service answer at its address? Never throws. */
export async function answers(connection: Connection): Promise<boolean> {
  try {
    const health = await readJson(connection, '/health', AbortSignal.timeout(PROBE_MS));
    return isRecord(health) && health['server'] === 'service-mcp';
  } catch {
    return false; // refused, out of time, or something else that answers there
  }
}
