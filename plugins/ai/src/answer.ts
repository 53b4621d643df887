import { closingOf } from './closing.js';
import type { Section } from './packing/candidate.js';
import { MAX_ESTIMATE_MCP, MAX_TOKENS_MCP, type ContextAnswer } from './schemas.js';
import type { BuiltContext, ContextRequest } from './services/context-builder.js';

/** The limits of a call: answers over MCP end up in the context of a model whole. Over REST they have no text. */
export function limitsOf(
  max_tokens: number,
  surface: string,
): Pick<ContextRequest, 'max_tokens' | 'max_estimate' | 'has_notes'> {
  const has_notes = surface !== 'rest';
  if (surface !== 'mcp') return { max_tokens, has_notes };
  return { max_tokens: Math.min(max_tokens, MAX_TOKENS_MCP), has_notes, max_estimate: MAX_ESTIMATE_MCP };
}

/** A built context as tools return it. */
export function answerOf(built: BuiltContext, max: number, startedAt: number): ContextAnswer {
  const { context, tokens, sections, dropped, index, warnings, tokenizer } = built;
  return {
    context,
    token_estimate: tokens,
    tokenizer,
    sections: sections.map(sectionOf),
    budget: { max, used: tokens, dropped },
    index,
    took_ms: Math.round(performance.now() - startedAt),
    warnings: [...warnings],
  };
}

function sectionOf(section: Section) {
  const { title, kind, path, projectId, id, startLine, endLine, tokens, score, reason } = section;
  return {
    title,
    kind,
    ...(path !== undefined && { path }),
    ...(path !== undefined && projectId !== undefined && { project_id: projectId }),
    ...(id !== undefined && { id }),
    ...(startLine !== undefined && { start_line: startLine }),
    ...(endLine !== undefined && { end_line: endLine }),
    tokens,
    score: Number(score.toFixed(4)),
    reason,
  };
}

/** The context for a model, and notes where something is missing from it. */
export function contextText(
  { context, sections, budget, index, warnings }: ContextAnswer,
  { project_id }: { readonly project_id?: string },
): string {
  const { max: maxTokens, dropped } = budget;
  const closing = closingOf({ sections, dropped, index, warnings, maxTokens, projectId: project_id });
  return [sections.length === 0 ? '' : context, closing].filter((part) => part !== '').join('\n\n');
}
