import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { coloursOf, drawScene, type Colours } from './draw-scene.js';
import { cameraOn, spotAt, zoomed, type Camera, type Scene, type Size, type Spot } from './scene.js';

const STEP = 1.6;
const CLICK_PX = 4;
/** Of a mouse, and a finger. */
const MAIN_BUTTON = 0;

/** The map: wheel and buttons zoom, dragging moves it. Screen readers and keys have the list, which holds the same. */
export function MapCanvas({
  scene,
  active,
  area,
  onActive,
  onOpen,
}: {
  readonly scene: Scene;
  /** Id of the file or area that the list points out too. */
  readonly active: string;
  /** The area that is open; empty for none. */
  readonly area: string;
  readonly onActive: (id: string) => void;
  readonly onOpen: (spot: Spot) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(canvas);
  const colours = useColours(canvas);
  const [moved, setMoved] = useState<{ readonly area: string; readonly camera: Camera }>();
  const shown = area === '' ? scene.areas : scene.areas.filter(({ id }) => id === area);
  // The whole area until it is moved; another area is shown whole again.
  const camera = moved?.area === area ? moved.camera : cameraOn(shown, size);
  const move = (next: Camera) => setMoved({ area, camera: next });
  const drag = useRef<{ readonly x: number; readonly y: number; readonly camera: Camera }>(undefined);

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || !colours || size.width === 0) return;
    const pixels = devicePixelRatio;
    element.width = size.width * pixels;
    element.height = size.height * pixels;
    drawScene(context, scene, camera, size, pixels, colours, { active, area });
    element.dataset['spots'] = String(scene.areas.length + scene.files.length);
  }, [scene, camera, size, active, area, colours]);

  useWheel(canvas, (factor, at) => move(zoomed(camera, factor, at, size)));

  const zoom = (factor: number) => move(zoomed(camera, factor, [size.width / 2, size.height / 2], size));
  return (
    <div className="card map">
      <canvas
        ref={canvas}
        aria-hidden="true"
        onPointerDown={({ button, clientX, clientY, pointerId, currentTarget }) => {
          if (button !== MAIN_BUTTON) return;
          currentTarget.setPointerCapture(pointerId);
          drag.current = { x: clientX, y: clientY, camera };
        }}
        onPointerMove={({ clientX, clientY, currentTarget }) => {
          const start = drag.current;
          if (start)
            move({
              ...start.camera,
              x: start.camera.x - (clientX - start.x) / camera.scale,
              y: start.camera.y - (clientY - start.y) / camera.scale,
            });
          else {
            const spot = spotAt(scene, camera, pointIn(currentTarget, clientX, clientY), size);
            currentTarget.style.cursor = spot ? 'pointer' : 'grab';
            onActive(spot?.id ?? '');
          }
        }}
        onPointerUp={({ clientX, clientY, currentTarget }) => {
          const start = drag.current;
          drag.current = undefined;
          if (!start || Math.hypot(clientX - start.x, clientY - start.y) > CLICK_PX) return;
          const spot = spotAt(scene, camera, pointIn(currentTarget, clientX, clientY), size);
          if (spot) onOpen(spot);
        }}
        onPointerCancel={() => {
          drag.current = undefined;
        }}
        onPointerLeave={() => {
          if (!drag.current) onActive('');
        }}
      />
      <div className="map-zoom" role="group" aria-label="Zoom">
        <button
          type="button"
          className="button small icon-only"
          aria-label="Closer"
          onClick={() => zoom(STEP)}
        >
          +
        </button>
        <button
          type="button"
          className="button small icon-only"
          aria-label="Further away"
          onClick={() => zoom(1 / STEP)}
        >
          −
        </button>
        <button type="button" className="button small" onClick={() => setMoved(undefined)}>
          Fit
        </button>
      </div>
    </div>
  );
}

function pointIn(element: Element, x: number, y: number): readonly [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  return [x - left, y - top];
}

/** Zooms by the wheel. React's listener is passive: it could not keep the page from scrolling. */
function useWheel(
  canvas: { readonly current: HTMLCanvasElement | null },
  onZoom: (factor: number, at: readonly [x: number, y: number]) => void,
): void {
  const zoom = useRef(onZoom);
  useEffect(() => {
    zoom.current = onZoom;
  });
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom.current(Math.exp(-event.deltaY / 400), pointIn(element, event.clientX, event.clientY));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas]);
}

/** The size of an element in pixels of the page, as it changes; 0 before the first measure. */
function useSize(element: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return undefined;
    const measure = () => setSize({ width: watched.clientWidth, height: watched.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** The colours of the page, also after another theme was chosen. */
function useColours(element: { readonly current: HTMLElement | null }): Colours | undefined {
  const [colours, setColours] = useState<Colours>();
  useLayoutEffect(() => {
    const read = () => element.current && setColours(coloursOf(element.current));
    read();
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(read);
    scheme.addEventListener('change', read);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      scheme.removeEventListener('change', read);
      observer.disconnect();
    };
  }, [element]);
  return colours;
}
