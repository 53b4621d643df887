import { definePlugin } from '@service-mcp/core';
import { searchConfig } from './config.js';
import { createSearch } from './migrations/001-create-search.js';
import { indexDrops } from './migrations/002-index-drops.js';
import { workspaceIndexes } from './migrations/003-workspace-indexes.js';
import { indexUpkeep } from './migrations/004-index-upkeep.js';
import { trigrams } from './migrations/005-trigrams.js';
import { indexHome } from './migrations/006-index-home.js';
import { indexVersions } from './migrations/007-index-versions.js';
import { explainCode } from './prompts/explain-code.js';
import { reviewProject } from './prompts/review-project.js';
import { startTask } from './prompts/start-task.js';
import { indexWorker, services } from './services/providers.js';
import { searchHybrid } from './tools/search-hybrid.js';
import { searchKeyword } from './tools/search-keyword.js';
import { searchPattern } from './tools/search-pattern.js';
import { searchSemantic } from './tools/search-semantic.js';

export default definePlugin({
  id: 'search',
  description: 'Semantic, hybrid, keyword and regular-expression search over what a workspace holds.',
  api: '^1',
  requires: ['syntax', 'workspaces'],
  config: searchConfig,
  migrations: [createSearch, indexDrops, workspaceIndexes, indexUpkeep, trigrams, indexHome, indexVersions],
  services,
  workers: [indexWorker],
  prompts: [startTask, explainCode, reviewProject],
  toolsets: [
    {
      id: 'search',
      description: 'Find code and documents by meaning, words or regular expression.',
      instructions: (visible) =>
        visible.has('search_hybrid')
          ? `Find with search_hybrid.${visible.has('files_read') ? ' Open what it names with files_read.' : ''}`
          : '',
      tools: [searchHybrid, searchPattern, searchSemantic, searchKeyword],
    },
  ],
});
