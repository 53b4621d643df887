import type { Unit } from './program.js';
import type { Solver } from './solver.js';

/**
 * Bounds for code whose types grow without an end, of each file and of all together. Real code takes 3 to 35 steps for a
 * name or use; a million take some seconds and 300 MB where each makes a type.
 */
const MIN_STEPS = 1_000_000;
const STEPS_PER_USE = 200;
const TOO_COMPLEX =
  'The file is too complex: its code takes more steps to bind names than code of its length; it is left out.';

/** Sets how many steps the solver may take. */
export function limitSteps(solver: Solver, units: readonly Unit[]): void {
  for (const unit of units) unit.work.maxSteps = MIN_STEPS + shareOf(unit);
  solver.maxSteps = units.reduce((sum, unit) => sum + shareOf(unit), MIN_STEPS);
}

/** Why each file is left out that took at least half as many steps beyond its share as the one that took most. */
export function leaveOut(units: readonly Unit[], notes: Map<string, string>): void {
  const most = units.reduce((max, unit) => Math.max(max, excessOf(unit)), -Infinity);
  for (const unit of units) if (excessOf(unit) >= Math.min(most, most / 2)) notes.set(unit.path, TOO_COMPLEX);
}

function excessOf(unit: Unit): number {
  return unit.work.steps - shareOf(unit);
}

function shareOf({ names, uses, typeUses }: Unit): number {
  return STEPS_PER_USE * (names.length + uses.length + typeUses.length);
}
