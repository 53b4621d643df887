import type { code } from '@service-mcp/plugin-syntax/contract';
import type { FlowState } from './flow-state.js';
import type { Place, Walker } from './walker.js';

/** The loop around a place. */
export interface Loop {
  readonly start: FlowState;
  readonly breaks: FlowState[];
  readonly continues: FlowState[];
  /** Code of the loop runs where another part of it leaves it: in a `try`. */
  readonly isTried: boolean;
}

/** Of a loop, in each of both ways: code after others runs on, as if it did not leave. */
const MAX_LEAVING = 50;

export function compileBranch(walker: Walker, branch: code.Branch, place: Place): void {
  const { arms, total, otherwise = [] } = branch;
  if (walker.unit.rules.flow !== 'ordered') {
    for (const arm of [...arms, otherwise]) walker.statements(arm, place);
    return;
  }
  const { flow } = place;
  if (branch.loop) {
    compileLoop(walker, branch, place);
    return;
  }
  const inside = branch.attempt ? tried(place) : place;
  const ends = arms.map((arm) => endOf(walker, arm, inside, flow));
  flow.join(total ? ends : [flow.branch(), ...ends]);
}

function compileLoop(walker: Walker, { arms, total, otherwise }: code.Branch, place: Place): void {
  const { flow } = place;
  const start = flow.branch(true);
  const loop: Loop = { start, breaks: [], continues: [], isTried: false };
  const ends = [...arms.map((arm) => endOf(walker, arm, { ...place, loop }, start)), ...loop.continues];
  start.close(ends);
  const over = total ? [] : [flow.branch(), ...ends];
  if (!otherwise) {
    flow.join([...over, ...loop.breaks]);
    return;
  }
  flow.join(over);
  flow.join([endOf(walker, otherwise, place, flow), ...loop.breaks]);
}

/** The state after an arm. */
function endOf(walker: Walker, arm: readonly code.Statement[], place: Place, before: FlowState): FlowState {
  const flow = before.branch();
  walker.statements(arm, { ...place, flow });
  return flow;
}

function tried(place: Place): Place {
  const { loop } = place;
  return { ...place, isTried: true, ...(loop && { loop: { ...loop, isTried: true } }) };
}

/** Nothing runs after the place, but what follows the loop that it leaves, or a `try`. */
export function leave(by: code.Leave['by'], { flow, loop, isTried }: Place): void {
  if (flow.hasLeft) return;
  if (by === 'return') {
    flow.hasLeft = isTried !== true;
    return;
  }
  const states = by === 'break' ? loop?.breaks : loop?.continues;
  if (!loop || !states || states.length >= MAX_LEAVING) return;
  states.push(flow.since(loop.start));
  flow.hasLeft = !loop.isTried;
}
