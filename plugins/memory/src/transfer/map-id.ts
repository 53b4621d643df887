import { createHash } from 'node:crypto';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The first bytes of our ids: the time, then a counter of the ids of one millisecond. */
const ORDERED_BYTES = 11;

/**
 * The id that a record of elsewhere has in a workspace: always the same one, so that references need no table and a
 * repeated import finds what is there. A UUIDv7 keeps its order; other ids come first.
 */
export function mapId(workspaceId: string, id: string): string {
  const ordered = UUID_V7.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex').subarray(0, ORDERED_BYTES)
    : Buffer.alloc(6);
  return fromBytes(ordered, `${workspaceId} ${id}`);
}

/** A UUIDv7 made of a time (RFC 3339; default: 1970) and a text, for records of foreign formats. */
export function idAt(time: string | undefined, text: string): string {
  const ordered = Buffer.alloc(6);
  ordered.writeUIntBE(Math.max(0, Date.parse(time ?? '') || 0), 0, 6);
  return fromBytes(ordered, text);
}

function fromBytes(ordered: Uint8Array, hashed: string): string {
  const bytes = createHash('sha256').update(hashed).digest().subarray(0, 16);
  bytes.set(ordered);
  bytes[6] = (Number(bytes[6]) & 0x0f) | 0x70; // version 7
  bytes[8] = (Number(bytes[8]) & 0x3f) | 0x80; // the variant of RFC 9562
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
