import { RegistryView, holdsScope, invalidArgument, provide, token, type Caller } from '@service-mcp/core';

/** What a credential has that asks for nothing in particular. */
export const DEFAULT_SCOPES: readonly string[] = ['mcp:read', 'mcp:write'];
const EVERYTHING = '*';
const BESIDES = ['admin:read', 'admin:write', 'metrics:read', ...DEFAULT_SCOPES, EVERYTHING];

/** The scopes of this deployment: `read` and `write` for each domain of its tools, those of the deployment, the bundles and `*`. */
export interface Scopes {
  readonly known: readonly string[];
  /**
   * The scopes of a new credential made with `caller`'s: never more than it holds. Without `wanted` the default, cut to
   * what it holds. Throws INVALID_ARGUMENT for an unknown scope and for one that the caller does not hold.
   */
  narrowed(caller: Caller, wanted: readonly string[] | undefined): string[];
  /** Does the caller hold every one of these? */
  covers(caller: Caller, scopes: readonly string[]): boolean;
}
export const Scopes = token<Scopes>('auth.Scopes');

export const scopes = provide(Scopes, {
  uses: { registry: RegistryView },
  create: ({ registry }) => {
    const domains = registry.allowed
      .map(({ info }) => info.access.scope.split(':'))
      .flatMap(([domain, verb]) => (domain !== undefined && verb !== undefined ? [domain] : []));
    const each = [...new Set(domains)].flatMap((domain) => [`${domain}:read`, `${domain}:write`]);
    const known = [...new Set([...each, ...BESIDES])].sort();
    return {
      known,
      narrowed(caller, wanted) {
        if (wanted === undefined) return defaultOf(caller, known);
        wanted.forEach((scope, i) => {
          if (!known.includes(scope))
            throw invalidArgument(`/scopes/${i}`, `is no scope here. Known: ${known.join(', ')}.`);
          if (!holds(caller, scope)) {
            throw invalidArgument(
              `/scopes/${i}`,
              `"${scope}" is more than this credential holds (${caller.scopes.join(', ')}): leave it out, or use a credential that has it`,
            );
          }
        });
        return [...new Set(wanted)];
      },
      covers: (caller, wanted) => wanted.every((scope) => holds(caller, scope)),
    };
  },
});

function holds(caller: Caller, scope: string): boolean {
  return scope === EVERYTHING ? caller.scopes.includes(EVERYTHING) : holdsScope(caller, scope);
}

function defaultOf(caller: Caller, known: readonly string[]): string[] {
  const bundles = DEFAULT_SCOPES.filter((scope) => holds(caller, scope));
  if (bundles.length > 0) return bundles;
  const single = caller.scopes.filter((scope) => known.includes(scope));
  if (single.length > 0) return single;
  throw invalidArgument('/scopes', 'this credential holds none to give on');
}
