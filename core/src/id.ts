import { v7 } from 'uuid';

/** A new id: UUIDv7 (RFC 9562), so ids sort by the time they were made. */
export function uuidv7(): string {
  return v7();
}
