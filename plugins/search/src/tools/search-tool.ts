import { defineTool, type Tool } from '@service-mcp/core';
import { Search } from '../contract.js';
import { resultText } from '../result-text.js';
import { SearchOutput, type PatternInput, type SearchInput, type SearchMode } from '../schemas.js';

/** The declaration of one mode. */
interface ModeTool {
  readonly title: string;
  readonly description: string;
  readonly input: typeof SearchInput | typeof PatternInput;
  readonly level: Tool['level'];
}

/** The tool of one mode. */
export function searchTool(mode: SearchMode, offered: ModeTool): Tool {
  return defineTool({
    ...offered,
    name: `search_${mode}`,
    output: SearchOutput,
    effect: 'read',
    access: { scope: 'search:read', in: 'workspace' },
    http: { method: 'POST', path: `/v1/search/${mode}` },
    text: resultText,
    uses: { search: Search },
    handler: (input, { search }, call) => search.search(mode, input, call),
  });
}
