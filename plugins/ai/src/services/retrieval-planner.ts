import { provideForCall, token } from '@service-mcp/core';
import { RISK_LEVELS, type RiskLevel, type SymbolImpact } from '@service-mcp/plugin-graph/contract';
import { KnowledgeByCode, KnowledgeEdges } from '@service-mcp/plugin-memory/contract';
import {
  effortOf,
  partsServed,
  stepDescription,
  stepTitle,
  type StepFacts,
} from '../planning/describe-step.js';
import { highestRisk, titleOf, type Draft, type PlanRequest } from '../planning/draft.js';
import type { Evidence, FoundFile, FoundRecord } from '../planning/evidence.js';
import { findTests } from '../planning/find-tests.js';
import { groupFiles, type Group } from '../planning/group-steps.js';
import { openQuestions, type Contradiction } from '../planning/open-questions.js';
import type { PlanStep } from '../planning/plan-schemas.js';
import { selectFiles } from '../planning/select-files.js';
import { sourcesOf } from '../planning/sources.js';

/** Composes a plan from evidence alone: the same evidence gives the same plan. */
export interface RetrievalPlanner {
  plan(request: PlanRequest): Promise<Draft>;
}
export const RetrievalPlanner = token<RetrievalPlanner>('ai.RetrievalPlanner');

const SYMBOLS_OF_FILE = 2;
const MAX_SYMBOLS = 8;
const MAX_DECISIONS = 5;
const MAX_CONTRADICTIONS = 10;

export const retrievalPlanner = provideForCall(RetrievalPlanner, {
  uses: { knowledge: KnowledgeByCode, edges: KnowledgeEdges },
  create: ({ knowledge, edges }): RetrievalPlanner => {
    /** Decisions about the code of a group, then those about the parts of the requirements that it serves. */
    async function decisionsFor(group: Group, symbols: readonly string[], request: PlanRequest) {
      const { evidence, workspaceId } = request;
      if (!evidence.remembers) return [];
      const { projectId, files } = group;
      const places = [
        ...files.map(({ path }) => ({ path })),
        ...symbols.map((id) => ({
          path: id.slice(0, id.indexOf('#')),
          symbol: id.slice(id.indexOf('#') + 1),
        })),
      ];
      const { items } = await knowledge.decisions({ workspaceId, projectId }, places, MAX_DECISIONS);
      const served = new Set(partsServed(files));
      const remembered = evidence.records.filter(
        ({ parts, type, isInForce }) =>
          type === 'decision' && isInForce && parts.some((part) => served.has(part)),
      );
      const byId = new Map([...items, ...remembered].map(({ id, title }) => [id, { id, title }]));
      return [...byId.values()].slice(0, MAX_DECISIONS);
    }

    async function contradictionsIn({ records, remembers }: Evidence): Promise<Contradiction[]> {
      if (!remembers || records.length === 0) return [];
      const byId = new Map(records.map((record) => [record.id, record]));
      const relations = [
        ...(await edges.contradictions([...byId.keys()], MAX_CONTRADICTIONS)),
        ...(await edges.neighbours([...byId.keys()], {
          relationTypes: ['contradicts'],
          limit: MAX_CONTRADICTIONS,
        })),
      ];
      const pairs = new Map<string, Contradiction>();
      for (const { source_node_id, target_node_id } of relations) {
        const [one, other] = [byId.get(source_node_id), byId.get(target_node_id)];
        if (one && other) pairs.set([one.id, other.id].sort().join(), { one, other });
      }
      return [...pairs.values()];
    }

    return {
      async plan(request) {
        const { evidence, maxSteps } = request;
        const { code, documents } = selectFiles(evidence);
        const tests = evidence.files.filter(({ kind }) => kind === 'test');
        const withDocuments = documents.length > 0 && (maxSteps > 1 || code.length === 0);
        const groups = groupFiles(code, evidence.facts, withDocuments ? maxSteps - 1 : maxSteps);
        const steps: PlanStep[] = [];
        const respected: Pick<FoundRecord, 'id' | 'title'>[] = [];
        for (const [index, group] of groups.entries()) {
          const symbols = symbolsOf(group.files, evidence);
          const decisions = await decisionsFor(group, symbols, request);
          respected.push(...decisions);
          const facts: StepFacts = {
            ...group,
            symbols,
            decisions,
            impacts: impactsOf(symbols, group, evidence, decisions.length),
          };
          steps.push({
            order: index + 1,
            title: stepTitle(facts),
            description: stepDescription(evidence, facts),
            files: group.files.map(({ path }) => path),
            symbols,
            depends_on: group.uses.map((earlier) => earlier + 1),
            risk: facts.impacts[0]?.level ?? 'low',
            decisions: decisions.map(({ id }) => id),
            tests: findTests(group.files, tests, evidence.facts),
            effort: effortOf(facts),
          });
        }
        if (withDocuments) steps.push(documentStep(evidence, documents, steps));
        const used = [...code, ...(withDocuments ? documents : [])];
        return {
          title: titleOf(evidence.requirements),
          summary: summaryOf(steps, used),
          generator: 'retrieval',
          steps,
          constraints: evidence.constraints.map((text, constraint) => ({
            text,
            records: evidence.records
              .filter((record) => record.constraints.includes(constraint))
              .map(({ id }) => id),
          })),
          open_questions: openQuestions(evidence, await contradictionsIn(evidence)),
          sources: sourcesOf(evidence, used, respected),
        };
      },
    };
  },
});

/** Ids of the symbols that were found in some files, the best files first; those that the graph has, where there is one. */
function symbolsOf(files: readonly FoundFile[], { facts }: Evidence): string[] {
  return files
    .flatMap(({ projectId, path, lines }) => {
      const known = facts.get(projectId);
      const ids = lines.filter(({ symbol }) => symbol !== '').map(({ symbol }) => `${path}#${symbol}`);
      const existing = [...new Set(ids)].filter((id) => !known || known.has(id));
      return existing.slice(0, SYMBOLS_OF_FILE);
    })
    .slice(0, MAX_SYMBOLS);
}

/** What changes of some symbols may break, the riskiest first. */
function impactsOf(
  symbols: readonly string[],
  { files }: Group,
  { facts }: Evidence,
  decisions: number,
): SymbolImpact[] {
  const projectOf = new Map(files.map(({ path, projectId }) => [path, projectId]));
  const rank = (level: RiskLevel) => RISK_LEVELS.indexOf(level);
  return symbols
    .flatMap((id) => {
      const projectId = projectOf.get(id.slice(0, id.indexOf('#'))) ?? '';
      return facts.get(projectId)?.impactOf(id, decisions) ?? [];
    })
    .sort((a, b) => rank(b.level) - rank(a.level) || b.total - a.total);
}

function documentStep(
  evidence: Evidence,
  documents: readonly FoundFile[],
  earlier: readonly PlanStep[],
): PlanStep {
  const facts = { files: documents, directory: '', symbols: [], impacts: [], decisions: [] };
  return {
    order: earlier.length + 1,
    title: 'Update the documentation',
    description: stepDescription(evidence, facts),
    files: documents.map(({ path }) => path),
    symbols: [],
    depends_on: earlier.map(({ order }) => order),
    risk: 'low',
    decisions: [],
    tests: [],
    effort: 'small',
  };
}

function summaryOf(steps: readonly PlanStep[], files: readonly FoundFile[]): string {
  if (steps.length === 0)
    return 'Nothing in the index matches these requirements: ingest the project, or name files and symbols.';
  const count = (list: Iterable<unknown>, noun: string) => {
    const { size } = new Set(list);
    return `${size} ${noun}${size === 1 ? '' : 's'}`;
  };
  const tests = count(
    steps.flatMap((step) => step.tests),
    'test file',
  );
  const decisions = count(
    steps.flatMap((step) => step.decisions),
    'decision',
  );
  return `${count(steps, 'step')} over ${count(files, 'file')}, with ${tests} and ${decisions} to respect. Highest risk: ${highestRisk(steps)}. Steps come in the order in which code uses code.`;
}
