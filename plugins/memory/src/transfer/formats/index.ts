import type { SchemaChecks } from '@service-mcp/core';
import type { Ends } from '../import-entries.js';
import { basicMemory } from './basic-memory.js';
import { mcpMemory } from './mcp-memory.js';
import { mem0 } from './mem0.js';

/** Turns lines of a format into native ones. */
export interface Format {
  /** The records of one line. Throws INVALID_ARGUMENT. */
  read(value: Readonly<Record<string, unknown>>, line: number): Iterable<object>;
  /** What a line calls the nodes of the edge that it becomes, for messages: their ids say nothing to its author. */
  ends?(value: Readonly<Record<string, unknown>>): Ends;
  /** Records that had to wait for the last line, each with the line that they come from. */
  finish?(): Iterable<{ readonly line: number; readonly record: object; readonly ends?: Ends }>;
  /** Whether a node that is there gets what a line says of it and it never said. */
  readonly grows?: boolean;
}

/** The last line of an export says nothing that is imported. */
const native = (): Format => ({ read: (value) => (value['record'] === 'end' ? [] : [{ ...value }]) });

export const FORMATS = {
  native,
  'mcp-memory': mcpMemory,
  mem0,
  'basic-memory': basicMemory,
} as const satisfies Record<string, (checks: SchemaChecks) => Format>;
export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]; // its own keys
