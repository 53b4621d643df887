import { CallAdmission, holdsScope, provideForCall, token } from '@service-mcp/core';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';
import { NO_MEMORY } from '../closing.js';
import { bindingFirst } from '../packing/binding-first.js';
import { distinct } from '../packing/distinct.js';
import { FORMATS, type FormatName } from '../packing/formats.js';
import { packBefore } from '../packing/pack-before.js';
import { pack, type Packed } from '../packing/pack.js';
import { Tokenizers } from './tokenizers.js';
import { CodeCandidates } from './code-candidates.js';
import { CodeDecisions } from './code-decisions.js';
import { GraphCandidates } from './graph-candidates.js';
import { MemoryCandidates } from './memory-candidates.js';

export interface ContextRequest {
  readonly query: string;
  readonly workspace_id: string;
  readonly project_id?: string;
  readonly max_tokens: number;
  /** Whether the budget is that of the text of a tool, which has notes behind the context. */
  readonly has_notes: boolean;
  readonly max_sections: number;
  /** `code`, `docs`. */
  readonly include: readonly string[];
  readonly include_tests: boolean;
  readonly format: FormatName;
  /** Tokens of the answer as JSON, by the estimate of core; any by default. */
  readonly max_estimate?: number;
  /** Also what the team remembers, and what happened last, in this session. */
  readonly memory?: { readonly as_of?: string; readonly session_id?: string };
}

export interface BuiltContext extends Packed, Pick<SearchOutput, 'index' | 'warnings'> {
  readonly tokenizer: string;
}

/** Builds context for language models that fits a budget of tokens. */
export interface ContextBuilder {
  build(request: ContextRequest, signal: AbortSignal): Promise<BuiltContext>;
}
export const ContextBuilder = token<ContextBuilder>('ai.ContextBuilder');

/** Tokens of a typical section: so many results are worth asking for. */
const TYPICAL_TOKENS = 80;
const MIN_RESULTS = 10;
const MAX_RESULTS = 100;
const MAX_RECORDS = 20;
/** Of the budget: what is known must not push out the code that was asked for. */
const MEMORY_SHARE = 0.4;

const DOCUMENTS: Readonly<Record<string, string>> = { code: 'code', docs: 'doc' };

export const contextBuilder = provideForCall(ContextBuilder, {
  uses: {
    code: CodeCandidates,
    graph: GraphCandidates,
    memory: MemoryCandidates,
    decisions: CodeDecisions,
    tokenizers: Tokenizers,
    admission: CallAdmission,
  },
  create: ({ code, graph, memory, decisions, tokenizers, admission }): ContextBuilder => ({
    async build(request, signal) {
      const { query, workspace_id, project_id, max_tokens, max_sections, max_estimate, include, format } =
        request;
      const scope = { query, workspace_id, ...(project_id !== undefined && { project_id }) };
      const shown = new Set(include.flatMap((each) => DOCUMENTS[each] ?? []));
      const kinds = include.includes('graph') ? [...new Set(['code', ...shown])] : [...shown]; // the graph starts from code
      const remembers = holdsScope(admission.caller, 'memory:read');
      const limit = Math.min(MAX_RESULTS, Math.max(MIN_RESULTS, Math.ceil(max_tokens / TYPICAL_TOKENS)));
      const finding = code.find({ ...scope, kinds, includeTests: request.include_tests, limit }, signal);
      const texts = finding.then(({ best }) => best);
      const [tokenizer, found, around, known, decided] = await Promise.all([
        tokenizers.open(),
        finding,
        finding.then(({ candidates }) =>
          include.includes('graph')
            ? graph.find(candidates, {
                query,
                workspaceId: workspace_id,
                includeTests: request.include_tests,
              })
            : [],
        ),
        request.memory && remembers
          ? memory.find({ ...scope, ...request.memory, limit: MAX_RECORDS }, texts, signal)
          : undefined,
        // With a time of the past, decisions are found by their words alone.
        request.memory && remembers && request.memory.as_of === undefined
          ? finding.then(({ candidates }) => decisions.find(candidates, workspace_id))
          : [],
        texts,
      ]);
      const remembered = [...(known?.candidates ?? []), ...decided];
      const index = known?.index ?? found.index; // that of memory counts pending files, too
      const parts = { format: FORMATS[format], tokenizer };
      const shareOfMemory = known?.isOfTime ? 1 : MEMORY_SHARE;
      const share = { maxTokens: Math.floor(max_tokens * shareOfMemory), maxSections: max_sections };
      // What of memory fits into its share competes with the code for the rest of the budget by rank, not by size.
      const fitting = pack(bindingFirst(remembered, share, parts), share, parts).sections.map((section) => ({
        ...section,
        score: section.score > 1 ? section.score : 1 + section.score,
      }));
      // What happened at a time is not in files: these hold a word of the question by chance.
      const ofFiles = known?.isOfTime
        ? []
        : [...found.candidates.filter(({ kind }) => shown.has(kind)), ...around];
      const warnings = [
        ...(known?.isOfTime ? [] : found.warnings),
        ...(known?.notes ?? []),
        ...(request.memory && !remembers ? [NO_MEMORY] : []),
      ];
      const packed = packBefore(
        {
          dropped: distinct(remembered).length - fitting.length,
          index,
          warnings,
          projectId: project_id,
          hasNotes: request.has_notes,
        },
        [...fitting, ...ofFiles],
        {
          maxTokens: max_tokens,
          maxSections: max_sections,
          ...(max_estimate !== undefined && { maxEstimate: max_estimate }),
        },
        parts,
      );
      const sections = packed.sections.map((section) =>
        section.path === undefined ? { ...section, score: section.score - 1 } : section,
      );
      return { ...packed, sections, index, warnings, tokenizer: tokenizer.name };
    },
  }),
});
