import { closed, closedAs } from '@service-mcp/core';
import { Type, type Static } from 'typebox';
import { ContextAnswer } from '../schemas.js';

const RISKS = ['low', 'medium', 'high', 'critical'] as const;
const EFFORTS = ['small', 'medium', 'large'] as const;
const texts = (description: string) => Type.Array(Type.String(), { description });

export const PlanStep = Type.Object(
  {
    order: Type.Integer({ description: 'From 1' }),
    title: Type.String(),
    description: Type.String(),
    files: texts('Paths'),
    symbols: texts('Ids: path#Qualified.name'),
    depends_on: Type.Array(Type.Integer(), { description: 'Orders of earlier steps' }),
    risk: Type.Enum([...RISKS]),
    decisions: texts('Ids of decisions to respect'),
    tests: texts('Paths of tests to run and extend'),
    effort: Type.Enum([...EFFORTS]),
  },
  closedAs('PlanStep'),
);
export type PlanStep = Static<typeof PlanStep>;

const PlanSource = Type.Object(
  {
    kind: Type.String({ description: 'code, doc, test, or the type of a record' }),
    title: Type.String(),
    reason: Type.String(),
    project_id: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    start_line: Type.Optional(Type.Integer()),
    end_line: Type.Optional(Type.Integer()),
    id: Type.Optional(Type.String({ description: 'Of a record' })),
  },
  closedAs('PlanSource'),
);
export type PlanSource = Static<typeof PlanSource>;

export const Plan = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Of the knowledge node that holds it, when saved' })),
    title: Type.String(),
    summary: Type.String(),
    generator: Type.Enum(['model', 'retrieval']),
    steps: Type.Array(PlanStep),
    constraints: Type.Array(
      Type.Object({ text: Type.String(), records: texts('Ids of records in memory that match it') }, closed),
    ),
    open_questions: texts('What to settle before the work'),
    sources: Type.Array(PlanSource),
  },
  closedAs('Plan'),
);
export type Plan = Static<typeof Plan>;

const Spent = Type.Object({ used: Type.Integer(), limit: Type.Integer() }, closed);

export const PlanAnswer = Type.Object(
  {
    plan: Plan,
    index: ContextAnswer.properties.index,
    took_ms: Type.Integer(),
    spent: Type.Optional(
      Type.Object(
        { day: Spent, month: Spent },
        {
          ...closed,
          description: 'Tokens of the model that the workspace has spent, where one is configured',
        },
      ),
    ),
    warnings: Type.Array(Type.String()),
  },
  closedAs('PlanAnswer'),
);
export type PlanAnswer = Static<typeof PlanAnswer>;
