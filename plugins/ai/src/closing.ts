import { plural } from '@service-mcp/core';
import { AS_OF_LATER } from '@service-mcp/plugin-memory/contract';
import { whereToRead, type Placed } from './where-to-read.js';

/** A warning. */
export const NO_MEMORY = 'Memory is left out: your credential lacks the scope memory:read.';

/** Characters of the line of projects for each token of the budget: with a longer one, little of a small budget is left. */
const PROJECTS_SHARE = 0.7;

export interface Closing {
  readonly sections: readonly Placed[];
  /** Found, and not in the context. */
  readonly dropped: number;
  readonly index: { readonly state: string; readonly pending: number };
  readonly warnings: readonly string[];
  readonly maxTokens: number;
  /** Where the call named one. */
  readonly projectId?: string | undefined;
}

/** What a model reads behind a context: what is missing from it, and the projects of its files; often empty. */
export function closingOf({ sections, dropped, index, warnings, maxTokens, projectId }: Closing): string {
  const isNothing = sections.length + dropped === 0;
  const notes = [
    ...(isNothing ? ['Nothing was found.'] : []),
    // Those of a search say why it found nothing, or little of one kind.
    ...warnings.filter((warning) => isNothing || warning === NO_MEMORY || warning === AS_OF_LATER),
    ...(index.state === 'ready' ? [] : [`Index: ${index.state}, ${index.pending} pending.`]),
    ...(dropped > 0 ? [`Found too, without room: ${plural(dropped, 'section')}.`] : []),
  ];
  const projects = projectId === undefined ? whereToRead(sections) : '';
  const shown = projects.length <= PROJECTS_SHARE * maxTokens ? projects : '';
  return [notes.join(' '), shown].filter((part) => part !== '').join('\n\n');
}
