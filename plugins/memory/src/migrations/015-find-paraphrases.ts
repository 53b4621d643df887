import type { Migration } from '@service-mcp/core';
import { addGistBands } from '../services/duplicates.js';
import { addBandsToAll } from './add-bands.js';

export const findParaphrases: Migration = {
  id: '015_find_paraphrases',
  up: (sql) => addBandsToAll(sql, addGistBands),
};
