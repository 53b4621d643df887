import { oneLine } from '@service-mcp/core';
import type { Plan, PlanStep } from './plan-schemas.js';
import type { Evidence } from './evidence.js';

/** A plan before it is stored. */
export type Draft = Omit<Plan, 'id'>;

/** What both generators take. */
export interface PlanRequest {
  readonly evidence: Evidence;
  readonly workspaceId: string;
  readonly projectId?: string;
  readonly maxSteps: number;
}

const MAX_TITLE = 120;

/** The first sentence or line of some requirements, shortened. */
export function titleOf(requirements: string): string {
  const line = requirements
    .split('\n')
    .map((one) => one.replace(/^[\s#>*-]+/u, '').trim())
    .find((one) => one !== '');
  return shortened(line?.split(/(?<=[.!?])\s/u)[0]?.replace(/[.:]$/u, '') ?? '', MAX_TITLE);
}

export function shortened(text: string, most: number): string {
  const one = oneLine(text);
  if (one.length <= most) return one;
  const cut = one.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, ''); // the first half of a character
  return `${cut.trimEnd()}…`;
}

export function highestRisk(steps: readonly PlanStep[]): PlanStep['risk'] {
  const levels = ['low', 'medium', 'high', 'critical'] as const;
  return levels.findLast((level) => steps.some(({ risk }) => risk === level)) ?? 'low';
}
