import { parse } from 'node:querystring';
import { suggest } from '../boot/boot-error.js';
import { invalidArgument } from '../errors.js';
import type { Headers } from '../services.js';
import type { Selection } from '../toolset.js';

/** A query string that may hold one of our parameters, spelled as it is or with escapes; others need no parsing here. */
const MAY_SELECT = /(?:^|&)(?:toolset|readonly|[^=&]*%)/;

const BOOLEANS = new Set(['true', '1', 'false', '0']);

/**
 * The toolsets that a request asks for by `X-Service-Toolset` or `?toolset=`, and by `X-Service-Readonly` or
 * `?readonly=`; else `fallback`. Throws INVALID_ARGUMENT for a toolset that is not one of `words`.
 */
export function requestSelection(
  { headers, query = '' }: { readonly headers: Headers; readonly query?: string },
  fallback: Selection,
  words: readonly string[],
): Selection {
  const header = headers['x-service-toolset'];
  const ordered = headers['x-service-readonly'];
  if (header === undefined && ordered === undefined && !MAY_SELECT.test(query)) return fallback;
  const parameters = parse(query);
  const asked = header ?? parameters['toolset'];
  const readOnly = ordered ?? parameters['readonly'];
  if (asked === undefined && readOnly === undefined) return fallback;
  const toolsets = asked === undefined ? fallback.toolsets : split(asked);
  if (toolsets.length === 0 && asked !== undefined)
    throw invalidArgument('/toolset', 'is empty; leave it out for the default toolset');
  if (readOnly !== undefined && !BOOLEANS.has(String(readOnly)))
    throw invalidArgument('/readonly', 'must be true or false');
  for (const word of toolsets) {
    if (!words.includes(word)) {
      throw invalidArgument(
        '/toolset',
        `"${word.slice(0, 64)}" is not a level, toolset or tool here. ${suggest(word.slice(0, 64), words)}`,
      );
    }
  }
  return { toolsets, readOnly: readOnly === 'true' || readOnly === '1' || fallback.readOnly };
}

function split(asked: string | readonly string[]): string[] {
  return [asked]
    .flat()
    .join(',')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}
