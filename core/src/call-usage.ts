import type { ErrorCode } from './errors.js';
import { token } from './token.js';

/** Calls of one tool with one outcome in a period, that took at most `upperMs` and more than half of that. */
export interface UsageRow {
  /** RFC 3339. */
  readonly start: string;
  readonly tool: string;
  readonly outcome: 'OK' | ErrorCode;
  readonly calls: number;
  readonly upperMs: number;
}

export interface UsageRequest {
  readonly since: Date;
  readonly until: Date;
  readonly granularity: 'hour' | 'day';
  /** Calls that were admitted to this workspace alone. Absent: every call of the deployment. */
  readonly workspaceId?: string | undefined;
}

/**
 * How often tools are called, with which outcome and how fast: of all processes of the deployment, kept by the hour for 90
 * days. Other processes write twice a minute. `read` answers in no order.
 */
export interface CallUsage {
  read(request: UsageRequest): Promise<readonly UsageRow[]>;
}
export const CallUsage = token<CallUsage>('core.CallUsage');
