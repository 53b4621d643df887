import { invalidArgument } from '@service-mcp/core';
import { Type } from 'typebox';
import { MAX_CONTENT_BYTES } from './schemas.js';

/** An argument by which a long record is read in parts. */
export const ContentFrom = Type.Integer({
  minimum: 0,
  maximum: MAX_CONTENT_BYTES,
  default: 0,
  description: 'Characters of the content to leave out at its beginning, which were read before',
});

/** A record whose content begins there. Throws INVALID_ARGUMENT where it has ended before. */
export function contentFrom<T extends { readonly content: string }>(record: T, from: number): T {
  const { length } = record.content;
  if (from >= length)
    throw invalidArgument('/content_from', `must be below ${length}, the length of the content`);
  return from === 0 ? record : { ...record, content: record.content.slice(from) };
}
