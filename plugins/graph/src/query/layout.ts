import { setImmediate } from 'node:timers/promises';
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import { areasOf } from './areas.js';
import { countEdges } from './count-edges.js';
import { perGraph } from './per-graph.js';
import type { ProjectGraph } from './project-graph.js';

interface Places {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

const MAX_TICKS = 300;
/** Ticks times areas: a large project gets fewer ticks. */
const MAX_WORK = 60_000;
/** Distance of neighbouring modules. */
const SPACING = 12;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Positions on the map, the same for the same graph. Forces pull together areas that use each other; the files of an area
 * lie on a spiral around it, in order of path.
 */
export const positionsOf = perGraph(
  async (graph): Promise<{ readonly areas: Places; readonly modules: Places }> => {
    const { names, ofPart } = areasOf(graph);
    const areas = await placeAreas(graph, ofPart, names.length);
    const modules = emptyPlaces(graph.parts.length);
    const placed = new Int32Array(names.length);
    for (const [index, area] of ofPart.entries()) {
      const i = placed[area]!++;
      const radius = SPACING * Math.sqrt(i);
      modules.xs[index] = rounded(areas.xs[area]! + radius * Math.cos(i * GOLDEN_ANGLE));
      modules.ys[index] = rounded(areas.ys[area]! + radius * Math.sin(i * GOLDEN_ANGLE));
    }
    return { areas, modules };
  },
);

async function placeAreas(graph: ProjectGraph, ofPart: Int32Array, size: number): Promise<Places> {
  const files = new Int32Array(size);
  for (const area of ofPart) files[area]!++;
  const nodes: SimulationNodeDatum[] = Array.from({ length: size }, () => ({}));
  const links: Array<SimulationLinkDatum<SimulationNodeDatum>> = countEdges(graph, ofPart, size).map(
    ({ source, target }) => ({ source, target }),
  );
  const radius = (area: number) => SPACING * (1 + Math.sqrt(files[area]!));
  const simulation = forceSimulation(nodes)
    .stop()
    .force('link', forceLink(links).distance(SPACING * 8))
    .force('charge', forceManyBody().strength(-SPACING * 20))
    .force(
      'collide',
      forceCollide((_, area) => radius(area)),
    )
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.05));
  const ticks = Math.max(20, Math.min(MAX_TICKS, Math.floor(MAX_WORK / Math.max(1, size))));
  for (let tick = 0; tick < ticks; tick++) {
    simulation.tick();
    if (tick % 10 === 9) await setImmediate(); // other calls run in between
  }
  const places = emptyPlaces(size);
  for (const [area, { x = 0, y = 0 }] of nodes.entries()) {
    places.xs[area] = rounded(x);
    places.ys[area] = rounded(y);
  }
  return places;
}

function emptyPlaces(size: number): Places {
  return { xs: new Float64Array(size), ys: new Float64Array(size) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
