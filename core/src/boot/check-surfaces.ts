import type { Tool } from '../tool.js';
import { BootError, suggest } from './boot-error.js';

/** Another deployment may have the transport of a surface; a tool that has none here is misspelt or in the wrong place. */
export function refuseUnknownSurfaces(place: string, { surfaces }: Tool, known: readonly string[]): void {
  if (surfaces.some((surface) => known.includes(surface))) return;
  const [first = ''] = surfaces;
  throw new BootError(place, `surfaces: none of "${surfaces.join(', ')}" is here`, suggest(first, known));
}

/** Only REST carries lines; the other surfaces would answer with a failure always. */
export function refuseUnservableStream(place: string, { http, surfaces }: Tool): void {
  if (!http?.streams) return;
  const other = surfaces.find((surface) => surface !== 'rest');
  if (other !== undefined)
    throw new BootError(place, `streams lines on the surface "${other}"`, "Declare surfaces: ['rest'].");
  const method = http.streams === 'in' ? 'POST' : 'GET';
  if (http.method !== method)
    throw new BootError(
      place,
      `streams lines ${http.streams} by ${http.method}`,
      `Declare http.method "${method}".`,
    );
}

/** Browsers, proxies and prefetching repeat a GET as they like. */
export function refuseChangeByGet(place: string, { http, effect }: Tool): void {
  if (http?.method !== 'GET' || effect === 'read') return;
  throw new BootError(
    place,
    `http.method is GET, and its effect is "${effect}"`,
    'Declare http.method "POST".',
  );
}
