import {
  invalidArgument,
  provideForCall,
  ServiceError,
  timeLimit,
  token,
  type AdmittedCall,
} from '@service-mcp/core';
import { aiConfig } from '../config.js';
import type { Draft, PlanRequest } from '../planning/draft.js';
import type { PlanAnswer } from '../planning/plan-schemas.js';
import { ModelPlanner, ModelRefusal, type ModelAnswer } from './model-planner.js';
import { PlanEvidence } from './plan-evidence.js';
import { PlanStore, type StoreRequest } from './plan-store.js';
import { RetrievalPlanner } from './retrieval-planner.js';
import { TokenSpend } from './token-spend.js';

export interface GenerateRequest {
  readonly requirements: string;
  readonly workspace_id: string;
  readonly project_id?: string;
  readonly constraints: readonly string[];
  readonly max_steps: number;
  readonly save: boolean;
}

/** Writes a plan from what a workspace has about some requirements, and stores it where asked to. */
export interface PlanGenerator {
  generate(request: GenerateRequest, call: AdmittedCall): Promise<PlanAnswer>;
}
export const PlanGenerator = token<PlanGenerator>('ai.PlanGenerator');

const MAX_BYTES = 20_000;

/** Time that stays of a call without a longer deadline, to answer with what retrieval composed. */
const RESERVE_MS = 3000;
/** Interval of progress while the model writes. */
const PROGRESS_MS = 2000;
const STAGES = 4;

export const planGenerator = provideForCall(PlanGenerator, {
  uses: {
    evidence: PlanEvidence,
    retrieval: RetrievalPlanner,
    model: ModelPlanner,
    spend: TokenSpend,
    store: PlanStore,
    config: aiConfig.token,
  },
  create({ evidence, retrieval, model, spend, store, config }): PlanGenerator {
    /** The plan of the model, else the draft and a warning: a model that fails in any way costs no plan. */
    async function written(request: PlanRequest, draft: Draft, call: AdmittedCall): Promise<ModelAnswer> {
      if (!model.enabled || draft.steps.length === 0) return { draft, warnings: [] };
      const startedAt = performance.now();
      call.prolong?.(config.chat_timeout_ms + 5 * RESERVE_MS);
      const left = call.deadline - Date.now() - RESERVE_MS;
      const timeoutMs = call.prolong
        ? config.chat_timeout_ms
        : Math.max(0, Math.min(config.chat_timeout_ms, left));
      const report = () => {
        const waited = performance.now() - startedAt;
        const message = `Waiting for the model, ${Math.round(waited / 1000)} s`;
        call.progress?.({ progress: 2 + waited / (waited + config.chat_timeout_ms), total: STAGES, message });
      };
      report();
      const timer = setInterval(report, PROGRESS_MS);
      try {
        const signal = timeLimit(Math.ceil(timeoutMs), call.signal);
        return await model.plan(request, draft, signal);
      } catch (error) {
        call.signal.throwIfAborted();
        if (!(error instanceof ModelRefusal)) call.log.warn({ err: error }, 'a model wrote no plan');
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        const reason =
          error instanceof ModelRefusal
            ? error.message
            : isLate
              ? `no plan within ${Math.ceil(timeoutMs)} ms`
              : 'it failed';
        return { draft, warnings: [`The plan was composed without the model: ${reason}.`] };
      } finally {
        clearInterval(timer);
      }
    }

    /** A plan that was made is not lost where it cannot be stored. */
    async function stored(
      draft: Draft,
      request: StoreRequest,
      call: AdmittedCall,
    ): Promise<{ readonly id?: string; readonly fault?: string }> {
      try {
        return { id: await store.save(draft, request, call) };
      } catch (error) {
        call.signal.throwIfAborted();
        if (error instanceof ServiceError) return { fault: error.message };
        throw error;
      }
    }

    return {
      async generate({ max_steps: maxSteps, save, ...request }, call) {
        const startedAt = performance.now();
        const { workspace_id: workspaceId, project_id: projectId } = request;
        if (Buffer.byteLength(request.requirements) > MAX_BYTES)
          throw invalidArgument('/requirements', `must have at most ${MAX_BYTES} bytes of UTF-8`);
        if (save) await store.check(call);
        const gathered = await evidence.gather(request, call.signal);
        call.progress?.({ progress: 1, total: STAGES, message: 'Found what the requirements are about' });
        const planning = {
          evidence: gathered,
          workspaceId,
          ...(projectId !== undefined && { projectId }),
          maxSteps,
        };
        const composed = await retrieval.plan(planning);
        call.progress?.({ progress: 2, total: STAGES, message: 'Composed the steps' });
        const { draft, warnings } = await written(planning, composed, call);
        const saved = save ? await stored(draft, request, call) : {};
        call.progress?.({ progress: STAGES, total: STAGES, message: 'Planned' });
        return {
          plan: { ...(saved.id !== undefined && { id: saved.id }), ...draft },
          index: gathered.index,
          took_ms: Math.round(performance.now() - startedAt),
          ...(model.enabled && { spent: await spend.read(workspaceId) }),
          warnings: [
            ...gathered.warnings,
            ...warnings,
            ...(saved.fault === undefined ? [] : [`The plan was not saved: ${saved.fault}`]),
            ...(projectId === undefined ? severalProjects(draft) : []),
          ],
        };
      },
    };
  },
});

/** Steps have paths alone, which two projects may share. */
function severalProjects({ sources }: Draft): string[] {
  const projects = [...new Set(sources.flatMap(({ project_id }) => project_id ?? []))];
  if (projects.length < 2) return [];
  return [
    `The plan has files of ${projects.length} projects, and its sources say of which: ${projects.join(', ')}. Pass project_id for a plan of one.`,
  ];
}
