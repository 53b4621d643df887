import type { Output } from '../../api/call.js';

/** The row of the smallest areas together, where there are many. */
const OTHERS = '(other)';

/** The row of an area among the totals of an analysis. */
export const areaRow = ({ by_area }: Output<'graph_impact_analysis'>['totals'], area: string): string =>
  Object.hasOwn(by_area, area) ? area : OTHERS;
