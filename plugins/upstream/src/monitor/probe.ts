import { readJson, type Connection } from '../connection/connection.js';
import { isRecord } from '../connection/error-response.js';

const PROBE_TIMEOUT_MS = 2_000;

/** Is the service available at its address? Never throws. */
export async function isServiceUp(connection: Connection): Promise<boolean> {
  try {
    const health = await readJson(connection, '/health', AbortSignal.timeout(PROBE_TIMEOUT_MS));
    return isRecord(health) && health['server'] === 'service-mcp';
  } catch {
    return false; // refused, timed out, or not the service
  }
}
