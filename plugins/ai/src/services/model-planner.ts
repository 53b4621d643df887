import {
  CallAdmission,
  SchemaChecks,
  ServiceError,
  provideForCall,
  token,
  type Issue,
} from '@service-mcp/core';
import { RISK_LEVELS } from '@service-mcp/plugin-graph/contract';
import { linesToRead, ProviderFailure } from '@service-mcp/plugin-search/contract';
import { Syntax } from '@service-mcp/plugin-syntax/contract';
import { ProjectDirectory } from '@service-mcp/plugin-workspaces/contract';
import { aiConfig } from '../config.js';
import { shortened, type Draft, type PlanRequest } from '../planning/draft.js';
import type { Evidence } from '../planning/evidence.js';
import { ASKED_SCHEMA, ModelPlan, checkedSteps, citedIn, readJson } from '../planning/model-plan.js';
import { planMessages, repairMessages, type Excerpt } from '../planning/model-prompt.js';
import type { PlanStep } from '../planning/plan-schemas.js';
import { ChatModels, type ChatMessage, type ChatModel } from './chat-model.js';
import { TokenSpend } from './token-spend.js';
import { Tokenizers } from './tokenizers.js';

export interface ModelAnswer {
  readonly draft: Draft;
  readonly warnings: readonly string[];
}

/** Has a language model write a plan from evidence. */
export interface ModelPlanner {
  /** False where no model is configured. */
  readonly enabled: boolean;
  /**
   * The plan of the model, without anything that does not exist or hold. `draft`: what retrieval composed. Throws ModelRefusal where
   * the model gives no plan, and the reason of `signal`.
   */
  plan(request: PlanRequest, draft: Draft, signal: AbortSignal): Promise<ModelAnswer>;
}
export const ModelPlanner = token<ModelPlanner>('ai.ModelPlanner');

/** Why a model gave no plan, for the caller. */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';
}

const EXCERPT_LINES = 40;
const MAX_EXCERPTS = 40;
const MAX_NAMED = 5;
/** Symbols of a step whose impact is looked up. */
const MAX_IMPACTS = 8;
const MAX_FAULTS = 1000;

export const modelPlanner = provideForCall(ModelPlanner, {
  uses: {
    models: ChatModels,
    spend: TokenSpend,
    tokenizers: Tokenizers,
    checks: SchemaChecks,
    syntax: Syntax,
    projects: ProjectDirectory,
    admission: CallAdmission,
    config: aiConfig.token,
  },
  create({ models, spend, tokenizers, checks, syntax, projects, admission, config }): ModelPlanner {
    const { model } = models;

    /** Asks within the limits of the workspace; what is reserved and not used is given back. */
    async function ask(
      chat: ChatModel,
      messages: readonly ChatMessage[],
      workspaceId: string,
      signal: AbortSignal,
    ): Promise<string> {
      const tokenizer = await tokenizers.open();
      signal.throwIfAborted();
      const prompt = messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0);
      const reserved = prompt + config.chat_reply_tokens;
      const reservation = await spend.reserve(workspaceId, reserved);
      if (!reservation) throw new ModelRefusal('the workspace has spent its tokens for this day or month');
      let used = 0;
      const countFailed = (failure: ProviderFailure) => {
        const cost = failure.mayHaveReplied ? reserved : ranNothing(failure) ? 0 : prompt;
        used += failure.tokens ?? cost;
      };
      try {
        const limits = { signal, onRetry: countFailed };
        const { content, tokens } = await chat.complete(messages, ASKED_SCHEMA, limits);
        used += tokens ?? prompt + tokenizer.count(content);
        return content;
      } catch (error) {
        if (!(error instanceof ProviderFailure)) {
          used += reserved; // the model may be at work
          throw error;
        }
        countFailed(error);
        throw new ModelRefusal(error.message, { cause: error });
      } finally {
        await spend.refund(workspaceId, reserved - used, reservation);
      }
    }

    /** The plan in an answer, or what is wrong with it. */
    function read(answer: string, maxSteps: number): ModelPlan | string {
      try {
        const value = readJson(answer);
        checks.check(ModelPlan, value);
        const plan = value as ModelPlan; // checked by the schema
        return plan.steps.length <= maxSteps ? plan : `it has more than ${maxSteps} steps`;
      } catch (error) {
        if (error instanceof ServiceError) return shortened(faultsOf(error), MAX_FAULTS);
        if (error instanceof SyntaxError) return 'it is not one JSON object';
        throw error;
      }
    }

    async function excerptsOf({ files }: Evidence): Promise<Excerpt[]> {
      const best = files.filter(({ lines }) => lines.length > 0).slice(0, MAX_EXCERPTS);
      const excerpts = new Map<string, Excerpt>();
      for (const projectId of new Set(best.map((file) => file.projectId))) {
        const own = best.filter((file) => file.projectId === projectId);
        const paths = own.map(({ path }) => path);
        const texts = await projects.texts(projectId, paths, admission.workspaceIds);
        for (const { path, lines } of own) {
          const [{ startLine, endLine }] = lines as [(typeof lines)[number]]; // it has one, as filtered
          const end = Math.min(endLine, startLine + EXCERPT_LINES - 1);
          const text = texts.get(path);
          if (text === undefined) continue;
          const quoted = text
            .split('\n')
            .slice(startLine - 1, end)
            .join('\n');
          excerpts.set(`${projectId} ${path}`, {
            path,
            start_line: startLine,
            text: linesToRead(quoted, syntax.languageOf(path, text)),
          });
        }
      }
      return best.flatMap(({ projectId, path }) => excerpts.get(`${projectId} ${path}`) ?? []);
    }

    return {
      enabled: model !== undefined,
      async plan({ evidence, workspaceId, projectId, maxSteps }, draft, signal) {
        if (!model) throw new ModelRefusal('no model is configured');
        const limits = { maxSteps, maxTokens: config.chat_prompt_tokens, tokenizer: await tokenizers.open() };
        const excerpts = await excerptsOf(evidence);
        const messages = (maxTokens: number) =>
          planMessages(evidence, draft, excerpts, { ...limits, maxTokens });
        const answer = await ask(model, messages(limits.maxTokens), workspaceId, signal);
        let plan = read(answer, maxSteps);
        if (typeof plan === 'string') {
          const repair = repairMessages(answer, plan, limits, messages);
          plan = read(await ask(model, repair, workspaceId, signal), maxSteps);
        }
        if (typeof plan === 'string') throw new ModelRefusal(`its answer was not usable twice: ${plan}`);
        const cited = citedIn(plan);
        const scope = { workspaceId, ...(projectId !== undefined && { projectId }) };
        const { steps, removed } = checkedSteps(plan, {
          paths: await projects.existingPaths(scope, cited.paths),
          symbols: new Set(cited.symbols.filter((id) => existsIn(evidence, draft, id))),
          decisions: new Set([
            ...evidence.records
              .filter(({ type, isInForce }) => type === 'decision' && isInForce)
              .map(({ id }) => id),
            ...draft.steps.flatMap(({ decisions }) => decisions),
          ]),
        });
        return {
          draft: {
            ...draft,
            generator: 'model',
            title: plan.title,
            summary: plan.summary,
            steps: steps.map((step) => withRisk(step, evidence)),
            open_questions: [...new Set([...plan.open_questions, ...draft.open_questions])],
          },
          warnings: removed.length === 0 ? [] : [removedText(removed)],
        };
      },
    };
  },
});

/** What a service answers with 4xx costs nothing; what fails otherwise may. */
function ranNothing({ wasSent, status = 0 }: ProviderFailure): boolean {
  return !wasSent || (status >= 400 && status < 500);
}

function faultsOf({ message, details }: ServiceError): string {
  const issues = (details?.['issues'] ?? []) as readonly Issue[]; // of INVALID_ARGUMENT
  return issues.map((issue) => `${issue.path} ${issue.message}`).join('; ') || message;
}

/** Of a project without a graph, only what retrieval found is known to exist. */
function existsIn({ facts }: Evidence, draft: Draft, id: string): boolean {
  const isKnown = id.includes('#') && [...facts.values()].some((known) => known.has(id));
  return isKnown || draft.steps.some(({ symbols }) => symbols.includes(id));
}

/** A model may see more risk than the graph, never less. */
function withRisk(step: PlanStep, { facts }: Evidence): PlanStep {
  const { symbols, decisions } = step;
  const levels = new Set([
    step.risk,
    ...symbols
      .slice(0, MAX_IMPACTS)
      .flatMap((id) => [...facts.values()].flatMap((known) => known.impactOf(id, decisions.length) ?? []))
      .map(({ level }) => level),
  ]);
  return { ...step, risk: RISK_LEVELS.findLast((level) => levels.has(level)) ?? step.risk };
}

function removedText(removed: readonly string[]): string {
  const named = removed.slice(0, MAX_NAMED).map((one) => shortened(one, 100));
  return `The model cited ${removed.length} files, symbols or decisions that do not exist or do not hold; they were removed: ${named.join(', ')}${removed.length > MAX_NAMED ? ', …' : ''}.`;
}
