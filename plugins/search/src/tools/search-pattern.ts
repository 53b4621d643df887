import { defineTool } from '@service-mcp/core';
import { Search } from '../contract.js';
import { PatternInput, SearchOutput } from '../schemas.js';
import { resultText } from '../result-text.js';
import { toOutput, toRequest } from '../wire.js';

export const searchPattern = defineTool({
  name: 'search_pattern',
  title: 'Search by regular expression',
  description:
    'Finds every place where a regular expression matches (RE2 syntax: no look-around), in order of path and line, as grep does.',
  input: PatternInput,
  output: SearchOutput,
  effect: 'read',
  level: 'light',
  access: { scope: 'search:read', in: 'workspace' },
  http: { method: 'POST', path: '/v1/search/pattern' },
  text: resultText,
  uses: { search: Search },
  handler: async (input, { search }, call) =>
    toOutput(await search.search('pattern', toRequest(input), call.signal)),
});
