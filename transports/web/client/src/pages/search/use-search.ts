import type { Input } from '../../api/call.js';
import { useTool } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';
import type { Address } from '../../ui/use-address.js';
import { modeOf } from './modes.js';

export const PAGE_SIZE = 20;
/** Most results that the service gives at once. */
export const MAX_RESULTS = 100;
export const MEMORY_KINDS = ['event', 'node'];

/** Options of the mode Pattern, by their name in the address. */
export const OPTIONS = [
  { name: 'case', label: 'Match case', argument: 'case_sensitive' },
  { name: 'word', label: 'Whole words', argument: 'whole_word' },
  { name: 'lines', label: 'Across lines', argument: 'multiline' },
] as const;

/** The search that the address asks for; idle while it has no query. */
export function useSearch(get: Address['get']) {
  const { workspace } = useWorkspace();
  const query = get('q');
  const mode = modeOf(get('mode'));
  const [language, kind, folder, project] = [get('language'), get('kind'), get('folder'), get('project')];
  const input: Input<'search_pattern'> = {
    query,
    workspace_id: workspace.id,
    limit: Math.min(MAX_RESULTS, Number(get('limit')) || PAGE_SIZE),
    facets: ['languages', 'kinds', 'directories', 'projects'],
    ...(project !== '' && { project_id: project }),
    filters: {
      ...(language !== '' && { languages: [language] }),
      ...(kind !== '' && { kinds: kind === 'memory' ? MEMORY_KINDS : [kind] }),
      ...(folder !== '' && { path_prefix: folder }),
    },
    ...(mode.id === 'regex' &&
      Object.fromEntries(OPTIONS.map(({ name, argument }) => [argument, get(name) !== '']))),
  };
  return useTool(mode.tool, input, {
    enabled: query !== '',
    keep: true,
    isUnfinished: ({ index }) => index.pending > 0,
  });
}
