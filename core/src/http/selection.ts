import type { Context } from 'koa';
import { invalidArgument } from '../errors.js';
import type { Selection } from '../toolset.js';

/** A query string that may hold one of our parameters, spelled as it is or with escapes; others need no parsing here. */
const MAY_SELECT = /(?:^|&)(?:toolset|readonly|[^=&]*%)/;

const BOOLEANS = new Set(['true', '1', 'false', '0']);

/** The toolsets that a request asks for by `X-Service-Toolset` or `?toolset=`, and `?readonly=true`; else `fallback`. */
export function readSelection(
  ctx: Context,
  fallback: Selection,
  words: readonly string[] | undefined,
): Selection {
  const header = ctx.headers['x-service-toolset'];
  if (header === undefined && !MAY_SELECT.test(ctx.querystring)) return fallback;
  const asked = header ?? ctx.query['toolset'];
  const readOnly = ctx.query['readonly'];
  if (asked === undefined && readOnly === undefined) return fallback;
  const toolsets = asked === undefined ? fallback.toolsets : split(asked);
  if (toolsets.length === 0 && asked !== undefined)
    throw invalidArgument('/toolset', 'names nothing; leave it out for what is shown unasked');
  if (readOnly !== undefined && !BOOLEANS.has(String(readOnly)))
    throw invalidArgument('/readonly', 'must be true or false');
  for (const word of toolsets) {
    if (words && !words.includes(word)) {
      throw invalidArgument(
        '/toolset',
        `"${word.slice(0, 64)}" is no toolset here; the tool help with action "toolsets" lists them`,
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
