import { createHash } from 'node:crypto';
import type { Caller } from '../caller.js';
import type { Seal } from '../seal.js';

/** Workspaces whose loss a reader can be told about after a reconnect; of more, those seen last. */
const MAX_REMEMBERED = 100;
const HASH_LENGTH = 6;
/** Digits of a number below 2^63 in base 36, so that the length of an id does not tell how many events there were. */
const DIGITS = 13;
const POSITION = new RegExp(
  `^([0-9a-z]{${DIGITS}})([0-9a-z]{${DIGITS}})((?:[\\w-]{${HASH_LENGTH}}){0,${MAX_REMEMBERED}})$`,
);

/** The workspaces that a reader has seen and not yet been told to have lost, by hash. */
export class RememberedWorkspaces {
  readonly #hashes: Set<string>;
  #text: string | undefined;

  constructor(text = '') {
    this.#hashes = new Set(text.match(new RegExp(`.{${HASH_LENGTH}}`, 'gu')));
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) this.#hashes.add(hashOf(id));
    this.#text = undefined;
  }

  has(id: string): boolean {
    return this.#hashes.has(hashOf(id));
  }

  delete(id: string): void {
    this.#hashes.delete(hashOf(id));
    this.#text = undefined;
  }

  clear(): void {
    this.#hashes.clear();
    this.#text = undefined;
  }

  toString(): string {
    return (this.#text ??= [...this.#hashes].slice(-MAX_REMEMBERED).join(''));
  }
}

/**
 * The position of a reader in the events, as an id for that reader alone: the positions of the log count the events of
 * all tenants. Another credential of the same person, confined alike, can go on from it.
 */
export function sealPosition(
  seal: Seal,
  { place, remembered }: { readonly place: string; readonly remembered: string },
  caller: Caller,
): string {
  const numbers = place.split('.').map((number) => BigInt(number).toString(36).padStart(DIGITS, '0'));
  return seal.seal(numbers.join('') + remembered, purposeFor(caller));
}

/** Undefined for text that is not an id of this reader. */
export function openPosition(
  seal: Seal,
  id: string,
  caller: Caller,
): { readonly place: string; readonly remembered: string } | undefined {
  const [, tx = '', number = '', remembered = ''] =
    POSITION.exec(seal.open(id, purposeFor(caller)) ?? '') ?? [];
  return tx === '' ? undefined : { place: `${decimal(tx)}.${decimal(number)}`, remembered };
}

function purposeFor({ userId, workspaceId = '' }: Caller): string {
  return JSON.stringify(['stream', userId, workspaceId]);
}

function decimal(text: string): string {
  return Array.from(text)
    .reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
    .toString();
}

function hashOf(workspaceId: string): string {
  return createHash('sha256').update(workspaceId).digest('base64url').slice(0, HASH_LENGTH);
}
