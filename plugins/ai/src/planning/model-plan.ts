import { closed } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { PlanStep } from './plan-schemas.js';

const text = (maxLength: number) => Type.String({ maxLength });
const list = (maxLength: number, maxItems: number) => Type.Array(text(maxLength), { maxItems });
const { risk, effort } = PlanStep.properties;

/** The part of a plan that a model writes: its steps are in order, and cite paths and ids of the evidence. */
export const ModelPlan = Type.Object(
  {
    title: text(300),
    summary: text(4000),
    steps: Type.Array(
      Type.Object(
        {
          title: text(300),
          description: text(4000),
          files: list(1024, 50),
          symbols: list(2048, 50),
          depends_on: Type.Array(Type.Integer({ minimum: 1, maximum: 50 }), { maxItems: 50 }),
          risk,
          decisions: list(100, 20),
          tests: list(1024, 50),
          effort,
        },
        closed,
      ),
      { minItems: 1, maxItems: 50 },
    ),
    open_questions: list(1000, 20),
  },
  closed,
);
export type ModelPlan = Static<typeof ModelPlan>;

const LIMITS = new Set(['maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'description']);
/** What services take in strict mode: types, without limits of lengths and numbers. */
export const ASKED_SCHEMA = withoutLimits(ModelPlan) as object;

function withoutLimits(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLimits);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(LIMITS.has(key) && typeof value !== 'object'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutLimits(value)]));
}

/** The JSON object in an answer, which may stand in a fenced block or between sentences. Throws SyntaxError. */
export function readJson(answer: string): unknown {
  const start = answer.indexOf('{');
  return JSON.parse(answer.slice(Math.max(0, start), answer.lastIndexOf('}') + 1));
}

/** Files, symbols, tests and decisions that a plan may cite. */
export interface Known {
  readonly paths: ReadonlySet<string>;
  readonly symbols: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
}

/** Everything that a plan cites, for a look whether it exists. */
export function citedIn({ steps }: ModelPlan): { readonly paths: string[]; readonly symbols: string[] } {
  return {
    paths: [...new Set(steps.flatMap(({ files, tests }) => [...files, ...tests]))],
    symbols: [...new Set(steps.flatMap(({ symbols }) => symbols))],
  };
}

/** The steps of a model without what does not exist, and what was removed. */
export function checkedSteps(
  { steps }: ModelPlan,
  { paths, symbols, decisions }: Known,
): { readonly steps: PlanStep[]; readonly removed: readonly string[] } {
  const removed = new Set<string>();
  const existing = (cited: readonly string[], known: ReadonlySet<string>) =>
    [...new Set(cited)].filter((one) => known.has(one) || !removed.add(one));
  const checked = steps.map((step, index) => ({
    ...step,
    order: index + 1,
    files: existing(step.files, paths),
    symbols: existing(step.symbols, symbols),
    tests: existing(step.tests, paths),
    decisions: existing(step.decisions, decisions),
    depends_on: [...new Set(step.depends_on)].filter((earlier) => earlier <= index).sort((a, b) => a - b),
  }));
  return { steps: checked, removed: [...removed] };
}
