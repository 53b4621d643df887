import type { Output } from '../../../api/call.js';

export type Overview = Output<'graph_overview'>;
type Node = Overview['nodes'][number];

/** Distance of neighbouring files on the map that the service draws, in its units. */
const SPACING = 12;
const HUES = 6;

/** A circle of the map. Positions and radii are in units of the map. */
export interface Spot {
  readonly id: string;
  /** The area that it is, or is in. */
  readonly area: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Index of its colour. */
  readonly hue: number;
}

export interface Line {
  readonly from: Spot;
  readonly to: Spot;
  /** Relations of all kinds. */
  readonly count: number;
}

/** What the map shows: areas as large circles, and the files in them. */
export interface Scene {
  readonly areas: readonly Spot[];
  readonly files: readonly Spot[];
  readonly areaLines: readonly Line[];
  readonly fileLines: readonly Line[];
}

/** The part of the map that is seen: the middle of the window, and pixels for each unit. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function sceneOf(areas: Overview, files: Overview | undefined): Scene {
  const folders = [...new Set(areas.nodes.map(({ path }) => topOf(path)))];
  const hueOf = (path: string) => folders.indexOf(topOf(path)) % HUES;
  // One colour for each top folder; where there is only one, for each area.
  const isFlat = folders.length < 3;
  const areaSpots = areas.nodes.map((node, index) =>
    spotOf(node, isFlat ? index % HUES : hueOf(node.area), SPACING * (0.6 + Math.sqrt(node.files))),
  );
  const hues = new Map(areaSpots.map(({ area, hue }) => [area, hue]));
  const fileSpots = (files?.nodes ?? []).map((node) =>
    spotOf(node, hues.get(node.area) ?? 0, Math.min(SPACING / 2.4, 2 + 0.5 * Math.sqrt(node.symbols))),
  );
  return {
    areas: areaSpots,
    files: fileSpots,
    areaLines: linesOf(areas, areaSpots),
    fileLines: files ? linesOf(files, fileSpots) : [],
  };
}

const spotOf = ({ id, area, x, y }: Node, hue: number, radius: number): Spot => ({
  id,
  area,
  x,
  y,
  radius,
  hue,
});

const topOf = (path: string): string => path.split('/', 2).join('/');

/** Edges of all kinds between two nodes as one line. */
function linesOf({ edges }: Overview, spots: readonly Spot[]): readonly Line[] {
  const byId = new Map(spots.map((spot) => [spot.id, spot]));
  const lines = new Map<string, Line>();
  for (const { source, target, count } of edges) {
    const [from, to] = [byId.get(source), byId.get(target)];
    if (!from || !to) continue;
    const key = `${source}\n${target}`;
    lines.set(key, { from, to, count: count + (lines.get(key)?.count ?? 0) });
  }
  return [...lines.values()];
}

const MARGIN = 0.9;
const MAX_SCALE = 14;
const MIN_SCALE = 0.02;

/** The camera that shows some circles as large as they fit. */
export function cameraOn(spots: readonly Spot[], { width, height }: Size): Camera {
  if (spots.length === 0) return { x: 0, y: 0, scale: 1 };
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y, radius } of spots) {
    left = Math.min(left, x - radius);
    right = Math.max(right, x + radius);
    top = Math.min(top, y - radius);
    bottom = Math.max(bottom, y + radius);
  }
  const scale = MARGIN * Math.min(width / (right - left), height / (bottom - top));
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: limited(scale) };
}

/** Zooms by a factor; the place of the map below a point of the window stays there. */
export function zoomed(
  camera: Camera,
  factor: number,
  at: readonly [x: number, y: number],
  size: Size,
): Camera {
  const scale = limited(camera.scale * factor);
  const [dx, dy] = [at[0] - size.width / 2, at[1] - size.height / 2];
  return {
    x: camera.x + dx / camera.scale - dx / scale,
    y: camera.y + dy / camera.scale - dy / scale,
    scale,
  };
}

const limited = (scale: number): number => Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));

/** Files are drawn large enough to be pointed at. */
export const FILES_FROM = 1.1;
const REACH_PX = 5;

/** What is below a point of the window: a file where files can be told apart, else an area. */
export function spotAt(
  scene: Scene,
  camera: Camera,
  at: readonly [x: number, y: number],
  size: Size,
): Spot | undefined {
  const x = camera.x + (at[0] - size.width / 2) / camera.scale;
  const y = camera.y + (at[1] - size.height / 2) / camera.scale;
  const within = (reach: number) => (spot: Spot) => Math.hypot(spot.x - x, spot.y - y) <= spot.radius + reach;
  const file = camera.scale >= FILES_FROM ? scene.files.find(within(REACH_PX / camera.scale)) : undefined;
  return file ?? scene.areas.find(within(0));
}
