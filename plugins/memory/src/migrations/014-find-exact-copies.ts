import type { Migration } from '@service-mcp/core';
import { addExactBands } from '../services/duplicates.js';
import { addBandsToAll } from './add-bands.js';

export const findExactCopies: Migration = {
  id: '014_find_exact_copies',
  up: (sql) => addBandsToAll(sql, addExactBands),
};
