import { closed, type EventType } from '@service-mcp/core';
import { Type } from 'typebox';

/** One for each batch: an import of 100,000 records must not make as many events. */
export const changesOfImports: EventType = {
  type: 'memory.imported',
  description: 'Memory records were imported, some hundred at a time.',
  scope: 'memory:read',
  data: Type.Object({ records: Type.Integer({ description: 'How many of them' }) }, closed),
};
