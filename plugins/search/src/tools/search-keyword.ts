import { defineTool } from '@service-mcp/core';
import { Search } from '../contract.js';
import { SearchInput, SearchOutput } from '../schemas.js';
import { resultText } from '../result-text.js';
import { toOutput, toRequest } from '../wire.js';

export const searchKeyword = defineTool({
  name: 'search_keyword',
  title: 'Search by words',
  description:
    'Finds passages that hold the words of the query (BM25; stems, identifier parts). Use it for names and rare words.',
  input: SearchInput,
  output: SearchOutput,
  effect: 'read',
  level: 'standard',
  access: { scope: 'search:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/search/keyword' },
  text: resultText,
  uses: { search: Search },
  handler: async (input, { search }, call) =>
    toOutput(await search.search('keyword', toRequest(input), call.signal)),
});
