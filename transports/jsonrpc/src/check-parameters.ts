import { invalidArgument } from '@service-mcp/core';
import { SELECTION_PARAMETERS } from '@service-mcp/core/wire';
import type { Context } from 'koa';

const KNOWN: ReadonlySet<string> = new Set(SELECTION_PARAMETERS.map(({ name }) => name));

/** Throws INVALID_ARGUMENT for a query parameter that does not choose tools; `remedy` says what to send instead. */
export function checkParameters(ctx: Context, remedy: string): void {
  if (ctx.querystring === '') return;
  for (const name of Object.keys(ctx.query)) {
    if (KNOWN.has(name)) continue;
    const known = [...KNOWN].join(' and ');
    throw invalidArgument(
      `/${name}`,
      `is not a known query parameter; this address takes ${known}. ${remedy}`,
    );
  }
}
