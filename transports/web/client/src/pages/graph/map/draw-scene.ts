import { cut } from '../symbols.js';
import { FILES_FROM, type Camera, type Line, type Scene, type Size, type Spot } from './scene.js';

/** The colours of the page, as the canvas takes them. */
export interface Colours {
  readonly ink: string;
  readonly quiet: string;
  readonly accent: string;
  readonly sheet: string;
  readonly hues: readonly string[];
}

/** What is pointed out. */
export interface Focus {
  /** Id of a file or area; empty for none. */
  readonly active: string;
  /** The area that is open; empty for none. */
  readonly area: string;
}

const FONT = '12px system-ui, sans-serif';
const MAX_LABELS = 160;
const LABEL_HEIGHT = 15;
const LABEL_MARGIN = 4;
/** Free space around each label but the one that is pointed out. */
const LABEL_GAP = { x: 10, y: 5 };
/** Longer names would lie across everything; the list beside the map has them whole. */
const MAX_LABEL_LENGTH = 36;
const MAX_AREA_LABEL_LENGTH = 24;
/** Radius of an area from which on it has a label, in pixels. */
const MIN_LABELLED_PX = 4;
/** Areas of these radii have their label inside, since above them it would lie on another area; it would hide smaller ones. */
const LABEL_INSIDE_PX = { from: 9, to: 70 };
const FILE_LABELS_FROM = 2.4;
/** With more lines each is fainter. */
const MAX_PLAIN_LINES = 150;

/** Draws the scene. `pixels` is the number of device pixels for one of the page. */
export function drawScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  camera: Camera,
  size: Size,
  pixels: number,
  colours: Colours,
  { active, area }: Focus,
): void {
  const { width, height } = size;
  const toX = (x: number) => (x - camera.x) * camera.scale + width / 2;
  const toY = (y: number) => (y - camera.y) * camera.scale + height / 2;
  const isSeen = ({ x, y, radius }: Spot) => {
    const [px, py, r] = [toX(x), toY(y), radius * camera.scale];
    return px + r > 0 && px - r < width && py + r > 0 && py - r < height;
  };
  const touches = ({ from, to }: Line) => from.id === active || to.id === active;
  const circle = ({ x, y, radius }: Spot) => {
    context.beginPath();
    context.arc(toX(x), toY(y), Math.max(radius * camera.scale, 1), 0, 2 * Math.PI);
  };
  const line = ({ from, to, count }: Line, most: number) => {
    context.lineWidth = 0.5 + 3.5 * (Math.log(1 + count) / Math.log(1 + most));
    context.beginPath();
    const [x1, y1, x2, y2] = [toX(from.x), toY(from.y), toX(to.x), toY(to.y)];
    // Bent to one side, so that the two ways between two nodes are two lines.
    context.moveTo(x1, y1);
    context.quadraticCurveTo((x1 + x2) / 2 + (y2 - y1) / 8, (y1 + y2) / 2 - (x2 - x1) / 8, x2, y2);
    context.stroke();
  };

  context.setTransform(pixels, 0, 0, pixels, 0, 0);
  context.clearRect(0, 0, width, height);
  const most = Math.max(1, ...scene.areaLines.map(({ count }) => count));

  context.strokeStyle = colours.quiet;
  context.globalAlpha = Math.max(0.06, 0.28 * Math.min(1, MAX_PLAIN_LINES / scene.areaLines.length));
  if (area === '') for (const each of scene.areaLines) line(each, most);
  context.strokeStyle = colours.accent;
  context.globalAlpha = 0.9;
  for (const each of scene.areaLines) if (touches(each)) line(each, most);

  for (const spot of scene.areas) {
    if (!isSeen(spot)) continue;
    circle(spot);
    context.globalAlpha = 1;
    context.fillStyle = colours.sheet;
    context.fill();
    context.globalAlpha = spot.id === active || spot.id === area ? 0.3 : 0.15;
    context.fillStyle = colours.hues[spot.hue] ?? colours.quiet;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = spot.id === active || spot.id === area ? 2.5 : 1;
    context.strokeStyle = context.fillStyle;
    context.stroke();
  }

  context.strokeStyle = colours.accent;
  context.globalAlpha = 0.35;
  if (area !== '') for (const each of scene.fileLines) if (each.from.area === area) line(each, most);
  context.globalAlpha = 0.9;
  for (const each of scene.fileLines) if (touches(each)) line(each, most);

  context.globalAlpha = 1;
  for (const spot of scene.files) {
    if (!isSeen(spot)) continue;
    circle(spot);
    context.fillStyle = spot.id === active ? colours.accent : (colours.hues[spot.hue] ?? colours.quiet);
    context.fill();
  }

  drawLabels();

  function drawLabels(): void {
    const taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];
    context.font = FONT;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    context.lineWidth = 4;
    const label = (spot: Spot, isForced: boolean) => {
      const isArea = spot.id === spot.area;
      const text = isArea && !isForced ? areaName(spot) : cut(nameOf(spot), MAX_LABEL_LENGTH);
      const r = spot.radius * camera.scale;
      const half = context.measureText(text).width / 2;
      const x = Math.max(half + LABEL_MARGIN, Math.min(toX(spot.x), width - half - LABEL_MARGIN)); // whole at the edges
      const boxAt = (y: number) => {
        const [dx, dy] = [half + LABEL_GAP.x / 2, (LABEL_HEIGHT + LABEL_GAP.y) / 2];
        return [x - dx, y - dy, x + dx, y + dy] as const;
      };
      const isFree = (y: number) => {
        const [left, top, right, bottom] = boxAt(y);
        return !taken.some(([l, t, r2, b]) => left < r2 && right > l && top < b && bottom > t);
      };
      const isInside = r >= LABEL_INSIDE_PX.from && r < LABEL_INSIDE_PX.to;
      const places = isArea ? (isInside ? [0, -r / 2, r / 2] : [-r - 9]) : [r + 9];
      const ys = places.map((dy) => toY(spot.y) + dy);
      const y = isForced ? ys[0] : ys.find(isFree);
      if (taken.length >= MAX_LABELS || y === undefined) return;
      taken.push(boxAt(y));
      context.strokeStyle = colours.sheet;
      context.strokeText(text, x, y);
      context.fillStyle = colours.ink;
      context.fillText(text, x, y);
    };
    const all = [...scene.areas, ...scene.files];
    const pointed = all.find(({ id }) => id === active);
    if (pointed) label(pointed, true);
    const bySize = scene.areas.toSorted((a, b) => b.radius - a.radius);
    for (const spot of bySize) {
      if (spot.radius * camera.scale < MIN_LABELLED_PX || !isSeen(spot) || spot.id === active) continue;
      label(spot, false);
    }
    if (camera.scale < FILE_LABELS_FROM) return;
    for (const spot of scene.files) if (isSeen(spot) && spot.id !== active) label(spot, false);
  }

  function nameOf({ id, area: inside }: Spot): string {
    if (id === '.') return 'top folder';
    return id === inside && camera.scale < FILES_FROM * 3 ? id : id.slice(id.lastIndexOf('/') + 1);
  }

  /** The last folders of an area, as many as have room. */
  function areaName(spot: Spot): string {
    const name = nameOf(spot);
    if (name.length <= MAX_AREA_LABEL_LENGTH) return name;
    const at = name.indexOf('/', name.length - MAX_AREA_LABEL_LENGTH);
    return at === -1 ? cut(name, MAX_AREA_LABEL_LENGTH) : `…${name.slice(at)}`;
  }
}

/** Reads the colours of the page as they are now; tokens have two values, of which the browser takes one. */
export function coloursOf(element: HTMLElement): Colours {
  const before = element.style.color;
  const read = (token: string) => {
    element.style.color = `var(--${token})`;
    return getComputedStyle(element).color;
  };
  const colours = {
    ink: read('ink'),
    quiet: read('edge'),
    accent: read('accent'),
    sheet: read('sheet'),
    hues: Array.from({ length: 6 }, (_, index) => read(`chart-${index}`)),
  };
  element.style.color = before;
  return colours;
}
