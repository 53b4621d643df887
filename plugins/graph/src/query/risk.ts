import type { ChangeType, Impact } from './impact.js';

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Factors of the risk of a change besides its {@link Impact}. */
export interface RiskContext {
  readonly change: ChangeType;
  /** Visible to other files. */
  readonly exported: boolean;
  /** The target is a test, or in a file of tests. */
  readonly test: boolean;
  /** Decisions about the code. */
  readonly decisions: number;
}

/** Points from which a change is medium, high, critical. */
const LEVELS = [2, 5, 8];

/** Names in a reason. */
const MAX_NAMES = 5;

/** A level of risk, with a sentence for each reason that raised or lowered it. */
export function riskOf(
  impact: Impact,
  { change, exported, test, decisions }: RiskContext,
): { readonly level: RiskLevel; readonly reasons: readonly string[] } {
  const { direct, depth, totals, tests, otherAreas, overriders, inside, unresolved } = impact;
  const { total } = totals;
  const reasons: string[] = [];
  let points = 0;
  const count = (value: number, why: string) => {
    points += value;
    reasons.push(why);
  };
  if (total === 0) reasons.push('No known symbol of the project depends on it.');
  else count(steps(direct, [1, 5, 20]), `${direct} direct ${plural(direct, 'dependent')}, ${total} in all.`);
  if (inside.users > 0)
    reasons.push(
      `${inside.users} other ${plural(inside.users, 'symbol')} ${inside.users === 1 ? 'uses' : 'use'} functions inside it: ${listed(inside.names)}.`,
    );
  if (total >= 20)
    count(
      steps(total, [20, 100]),
      `${total} symbols are affected, through up to ${depth} step${depth === 1 ? '' : 's'}.`,
    );
  else if (depth >= 3) count(1, `Effects reach up to ${depth} steps.`);
  if (otherAreas > 0)
    count(
      steps(otherAreas, [2, 5]),
      `${otherAreas} other ${plural(otherAreas, 'area')} of the project ${otherAreas === 1 ? 'depends' : 'depend'} on it.`,
    );
  if (overriders.length > 0 && change !== 'modify_body')
    count(
      1,
      `${overriders.length} overriding ${plural(overriders.length, 'method')} must change with it: what calls ${overriders.length === 1 ? 'that one' : 'those'} alone is not counted here.`,
    );
  if (exported && !test) count(total > 0 ? 1 : 0, 'It is exported: code outside the project may use it.');
  if (total > 0 && tests.length === 0 && !test) count(1, 'No known test reaches it.');
  if (tests.length > 0)
    reasons.push(`${tests.length} affected ${plural(tests.length, 'symbol')} in tests can check it.`);
  if (decisions > 0) count(1, `${decisions} recorded ${plural(decisions, 'decision')} about this code.`);
  if (unresolved.count > 0)
    reasons.push(
      `${unresolved.count} ${plural(unresolved.count, 'call')} of ${listed(unresolved.names)} could not be resolved and may use it.`,
    );
  if (change === 'modify_body' && points > 0)
    count(-2, 'Only the body changes: code that uses it compiles as before.');
  if (change === 'delete' && direct > 0) count(2, 'Deleting it breaks every direct use.');
  if (change === 'rename' && direct > 0) count(0, 'Renaming it breaks only direct uses.');
  const level = RISK_LEVELS[LEVELS.filter((start) => points >= start).length]!;
  return { level, reasons };
}

/** Number of thresholds that a value has reached. */
function steps(value: number, thresholds: readonly number[]): number {
  return thresholds.filter((threshold) => value >= threshold).length;
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

function listed(names: readonly string[]): string {
  const shown = [...new Set(names)];
  return [...shown.slice(0, MAX_NAMES), ...(shown.length > MAX_NAMES ? ['…'] : [])].join(', ');
}
