import { readStored, writeStored } from '../../api/browser-storage.js';

/** A longer address may be refused: servers take some 16 KB, and the sign-in escapes the address once more. */
const MAX_LENGTH = 6_000;
/** Stands in the address for arguments that this tab keeps. */
const KEPT = 'kept';

const keyOf = (tool: string) => `explorer-arguments:${tool}`;

/** The text that stands for the arguments of a tool in an address; long ones are kept for this tab, or not at all. */
export function toText(tool: string, input: Readonly<Record<string, unknown>>): string {
  if (Object.keys(input).length === 0) return '';
  const text = JSON.stringify(input);
  if (encodeURIComponent(text).length <= MAX_LENGTH) return text;
  return writeStored('sessionStorage', keyOf(tool), text) ? KEPT : '';
}

/** The arguments that the text of an address stands for; none where somebody wrote something else there. */
export function fromText(tool: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(
      text === KEPT ? (readStored('sessionStorage', keyOf(tool)) ?? '') : text,
    );
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
