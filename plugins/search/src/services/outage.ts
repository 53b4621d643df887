import { ServiceError } from '@service-mcp/core';

/** Whether the database does not answer: nothing is known of what was asked, and everything else waits too. */
export function isOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'UNAVAILABLE';
}
