import {
  CallAdmission,
  ServiceError,
  holdsScope,
  notFound,
  optional,
  provideForCall,
  token,
} from '@service-mcp/core';
import { CodeFactsReader, type CodeFacts } from '@service-mcp/plugin-graph/contract';
import { MemorySearch } from '@service-mcp/plugin-memory/contract';
import {
  analyse,
  NOTHING_HOLDS,
  Search,
  type SearchOutput,
  type SearchResult,
} from '@service-mcp/plugin-search/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { NO_MEMORY } from '../closing.js';
import type { Evidence, Mention } from '../planning/evidence.js';
import { FileScores, type FileQuery } from '../planning/file-scores.js';
import { nameIndexOf } from '../planning/name-index.js';
import { RecordScores } from '../planning/record-scores.js';
import { partsOf, type Part } from '../planning/requirements.js';
import { isTest } from './is-test.js';

export interface EvidenceRequest {
  readonly requirements: string;
  readonly workspace_id: string;
  readonly project_id?: string;
  readonly constraints: readonly string[];
}

/** What a workspace has about some requirements: code, documents, tests, memory, and the graph around them. */
export interface PlanEvidence {
  gather(request: EvidenceRequest, signal: AbortSignal): Promise<Evidence>;
}
export const PlanEvidence = token<PlanEvidence>('ai.PlanEvidence');

const MAX_QUERY = 4000;
const RESULTS = 40;
const RECORDS = 10;
/** Words of a part that can be searched alone. */
const MIN_TERMS = 10;
const MAX_PROJECTS = 4;
/** Files that hold a name as a text; a name in more of them is used everywhere. */
const MAX_LITERALS = 8;
/** Names that are looked up as texts, one search each. */
const MAX_TEXTS = 40;
/** Symbols of one name; more of them say nothing. */
const MAX_NAMESAKES = 12;

const SLOW = 'The search for a part of the requirements took too long: ask again when indexing is done.';
const NAMES = `The requirements have more than ${MAX_TEXTS} names that the code graph does not have: others were not looked for in the code. Name what matters most first, or ask for several plans.`;
const NO_GRAPH = 'The code graph is not enabled: risks and the order of steps are guessed from paths.';

export const planEvidence = provideForCall(PlanEvidence, {
  uses: {
    search: Search,
    memory: MemorySearch,
    projects: ProjectDirectory,
    reader: optional(CodeFactsReader),
    admission: CallAdmission,
  },
  create: ({ search, memory, projects, reader, admission }): PlanEvidence => ({
    async gather({ requirements, workspace_id, project_id, constraints }, signal) {
      if (project_id !== undefined && !(await projects.find(project_id, [workspace_id])))
        throw notFound('project', project_id, 'projects_list');
      const scope = { workspace_id, ...(project_id !== undefined && { project_id }) };
      const parts = partsOf(requirements);
      const remembers = holdsScope(admission.caller, 'memory:read');
      const queries = queriesOf(requirements, parts);
      const files = new FileScores(parts.length);
      const incomplete = new Set<string>();
      let answer: SearchOutput | undefined;
      for (const query of queries) {
        const request = {
          ...scope,
          query: query.text.slice(0, MAX_QUERY),
          filters: { kinds: ['code', 'doc'] },
          limit: RESULTS,
          content_max_chars: MAX_QUERY,
        };
        try {
          const found = await search.search('hybrid', request, { signal, caller: admission.caller });
          files.addResults(found.results, query);
          answer ??= found;
        } catch (error) {
          if (!answer) throw error;
          leaveOut(error);
        }
      }
      const facts = await factsOf(
        project_id === undefined ? files.projects().slice(0, MAX_PROJECTS) : [project_id],
      );
      const mentions = await mentionsIn(parts);
      const names = new Map([...facts].map(([projectId, known]) => [projectId, nameIndexOf(known)]));
      files.addNames(names, queries);
      files.addLinks(facts);
      const { records, warnings } = await recordsFor();
      return {
        requirements,
        constraints,
        parts,
        files: files.list(),
        records,
        remembers,
        mentions,
        missing: files.missing(),
        facts,
        names,
        index: answer!.index,
        warnings: [
          ...new Set([...answer!.warnings, ...incomplete, ...warnings, ...(reader ? [] : [NO_GRAPH])]),
        ],
      };

      /** Of many searches, a slow one costs a part, not the plan. */
      function leaveOut(error: unknown): void {
        if (!(error instanceof ServiceError) || error.code !== 'DEADLINE_EXCEEDED') throw error;
        incomplete.add(SLOW);
      }

      async function factsOf(projects: readonly string[]): Promise<Map<string, CodeFacts>> {
        const all = new Map<string, CodeFacts>();
        for (const projectId of projects) {
          if (!reader) break;
          all.set(projectId, await reader.read({ projectId, workspaceId: workspace_id }));
        }
        return all;
      }

      /** Binds what the parts spell out to symbols, files, or the files that hold it as a text. */
      async function mentionsIn(all: readonly Part[]): Promise<Mention[]> {
        const bound: Mention[] = [];
        const texts = new Map<string, number>();
        for (const [part, { mentions }] of all.entries())
          for (const text of mentions) if (!texts.has(text)) texts.set(text, part);
        let searches = 0;
        for (const [text, part] of texts) {
          const targets =
            bindToFacts(text, part) ?? (++searches <= MAX_TEXTS && (await bindToText(text, part)));
          if (targets) bound.push({ text, part, targets: targets.slice(0, MAX_NAMESAKES) });
        }
        if (searches > MAX_TEXTS) incomplete.add(NAMES);
        return bound;
      }

      function bindToFacts(text: string, part: number): string[] | undefined {
        for (const [projectId, known] of facts) {
          const paths = known.filesAt(text.replace(/^\.?\//, ''));
          const symbols = /^[\w$.:#]+$/.test(text) ? known.named(text) : [];
          if (paths.length + symbols.length === 0) continue;
          files.addNamed(projectId, paths, symbols.slice(0, MAX_NAMESAKES), part);
          return [...paths, ...symbols.map(({ id }) => id)];
        }
        return undefined;
      }

      /** Undefined where the search took too long. */
      async function bindToText(text: string, part: number): Promise<string[] | undefined> {
        try {
          const literals = await literalsOf(text, ['["\'`]', '["\'`/]']);
          // In a longer one: a table in a statement, a word of a template.
          const results =
            literals.length > 0 ? literals : await literalsOf(text, [String.raw`\b`, String.raw`\b`]);
          const paths = [...new Set(results.map(({ path }) => path))];
          if (paths.length <= MAX_LITERALS) files.addLiterals(results, text, part);
          return paths;
        } catch (error) {
          leaveOut(error);
          return undefined;
        }
      }

      /** Code that has a text between these: quotation marks for names of tools, routes, settings and flags. */
      async function literalsOf(text: string, [before, after]: [string, string]): Promise<SearchResult[]> {
        const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
        const { results } = await search.search(
          'pattern',
          {
            ...scope,
            query: `${before}${escaped}${after}`,
            filters: { kinds: ['code'] },
            limit: 100,
            output_format: 'paths',
          },
          { signal, caller: admission.caller },
        );
        return results.filter(({ path }) => !isTest(path));
      }

      async function recordsFor() {
        if (!remembers) return { records: [], warnings: [NO_MEMORY] };
        const scores = new RecordScores();
        const asked = [
          ...parts.map(({ text }, part) => ({ text, part })),
          ...constraints.map((text, constraint) => ({ text, constraint })),
        ];
        const heard = new Set<string>();
        for (const query of asked) {
          const { results, warnings } = await memory.find(
            {
              ...scope,
              query: query.text.slice(0, MAX_QUERY),
              project_id,
              with_shared: true,
              kinds: ['event', 'node'],
              event_types: [],
              node_types: [],
              as_of: undefined,
              limit: RECORDS,
              min_score: 0,
              content_max_chars: MAX_QUERY,
              include_superseded: true,
              by_recency: false, // the same plan tomorrow
            },
            { signal, caller: admission.caller },
          );
          scores.add(results, query);
          // That memory lacks a word would read as if the code did.
          for (const warning of warnings) if (!warning.startsWith(NOTHING_HOLDS)) heard.add(warning);
        }
        return { records: scores.list(), warnings: [...heard] };
      }
    },
  }),
});

/**
 * The requirements as a whole, and each of their parts where there are several. A short part says too little alone (“the
 * import counts nothing for them”): it is searched together with the first one.
 */
function queriesOf(requirements: string, parts: readonly Part[]): FileQuery[] {
  const [first] = parts;
  if (parts.length === 1 || !first) return [{ text: requirements, part: 0 }];
  const inContext = ({ text }: Part) =>
    analyse(text).length < MIN_TERMS ? { text: `${text} ${first.text}`, own: text } : { text };
  return [
    { text: requirements },
    { text: first.text, part: 0 },
    ...parts.slice(1).map((part, i) => ({ ...inContext(part), part: i + 1 })),
  ];
}
