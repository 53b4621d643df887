import { defineTool } from '@service-mcp/core';
import { Search } from '../contract.js';
import { SearchInput, SearchOutput } from '../schemas.js';
import { resultText } from '../result-text.js';
import { toOutput, toRequest } from '../wire.js';

export const searchHybrid = defineTool({
  name: 'search_hybrid',
  title: 'Search by meaning and words',
  description:
    'Finds code and documents by meaning and keywords together, best first. The first tool to reach for. Read files with files_read.',
  input: SearchInput,
  output: SearchOutput,
  effect: 'read',
  level: 'light',
  access: { scope: 'search:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/search/hybrid' },
  text: resultText,
  uses: { search: Search },
  handler: async (input, { search }, call) =>
    toOutput(await search.search('hybrid', toRequest(input), call.signal)),
});
