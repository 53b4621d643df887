import { defineTool, requireScope, type Caller, type Tool } from '@service-mcp/core';
import { IndexSources, Search, type IndexSource } from '../contract.js';
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
    uses: { search: Search, sources: IndexSources },
    handler(input, { search, sources }, call) {
      requireScopes(call.caller, input.filters?.kinds ?? [], sources);
      return search.search(mode, input, call);
    },
  });
}

/** What a domain keeps to holders of a scope is not found by another way. */
function requireScopes(caller: Caller, kinds: readonly string[], sources: readonly IndexSource[]): void {
  for (const { scope, kinds: own } of sources) {
    const kind = scope === undefined ? undefined : own.find((each) => kinds.includes(each));
    if (scope !== undefined && kind !== undefined)
      requireScope(caller, scope, `A search of the kind ${kind}`);
  }
}
