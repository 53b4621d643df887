import { defineTool } from '@service-mcp/core';
import { Search } from '../contract.js';
import { SearchInput, SearchOutput } from '../schemas.js';
import { resultText } from '../result-text.js';
import { toOutput, toRequest } from '../wire.js';

export const searchSemantic = defineTool({
  name: 'search_semantic',
  title: 'Search by meaning',
  description:
    'Finds passages near the query in meaning, by vectors. Use it for a question in plain words; search_hybrid is the better first choice.',
  input: SearchInput,
  output: SearchOutput,
  effect: 'read',
  level: 'standard',
  access: { scope: 'search:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/search/semantic' },
  text: resultText,
  uses: { search: Search },
  handler: async (input, { search }, call) =>
    toOutput(await search.search('semantic', toRequest(input), call.signal)),
});
