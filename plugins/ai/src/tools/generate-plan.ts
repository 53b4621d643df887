import { closed, defineTool } from '@service-mcp/core';
import { WorkspaceId } from '@service-mcp/plugin-workspaces/contract';
import { Type } from 'typebox';
import { PlanAnswer } from '../planning/plan-schemas.js';
import { planText } from '../planning/plan-text.js';
import { ProjectId } from '../schemas.js';
import { PlanGenerator } from '../services/plan-generator.js';

const Constraint = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '\\S',
  description: 'What must hold',
});

export const generatePlan = defineTool({
  name: 'ai_generate_plan',
  title: 'Plan a change',
  description:
    'Turns requirements into steps: files and symbols to change in the order of their dependencies, tests, risks, decisions to respect and open questions. Everything it names exists.',
  input: Type.Object(
    {
      requirements: Type.String({
        minLength: 1,
        maxLength: 20_000,
        pattern: '\\S',
        description: 'What to achieve; names of files and symbols help',
      }),
      workspace_id: WorkspaceId,
      project_id: Type.Optional(ProjectId),
      constraints: Type.Array(Constraint, {
        maxItems: 20,
        default: [],
        description: 'What the work must respect',
      }),
      max_steps: Type.Integer({ minimum: 1, maximum: 50, default: 12, description: 'Max steps' }),
      save: Type.Boolean({ default: false, description: 'Store the plan in memory (needs memory:write)' }),
    },
    closed,
  ),
  output: PlanAnswer,
  effect: 'create',
  level: 'standard',
  access: { scope: 'ai:read', role: 'viewer', in: 'workspace' },
  http: { method: 'POST', path: '/v1/ai/plan/generate', status: 200 },
  text: planText,
  uses: { generator: PlanGenerator },
  handler: (request, { generator }, call) => generator.generate(request, call),
});
