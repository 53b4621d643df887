import { RegistryView, holdsScope, invalidArgument, provide, token, type Caller } from '@service-mcp/core';

/** Scopes of a credential that requests none. */
export const DEFAULT_SCOPES: readonly string[] = ['mcp:read', 'mcp:write'];
const EVERYTHING = '*';
const DEPLOYMENT_SCOPES = ['admin:read', 'admin:write', 'metrics:read', ...DEFAULT_SCOPES, EVERYTHING];

/** The scopes of this deployment: `read` and `write` for each domain of its tools, deployment scopes, bundles and `*`. */
export interface Scopes {
  readonly known: readonly string[];
  /**
   * Scopes for a new credential, never more than the caller has. Without `wanted`: the default scopes that the caller
   * has. Throws INVALID_ARGUMENT for an unknown scope and for one that the caller does not have.
   */
  narrow(caller: Caller, wanted: readonly string[] | undefined): string[];
  /** Does the caller have all these scopes? */
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
    const known = [...new Set([...each, ...DEPLOYMENT_SCOPES])].sort();
    return {
      known,
      narrow(caller, wanted) {
        if (wanted === undefined) return defaultOf(caller, known);
        wanted.forEach((scope, i) => {
          if (!known.includes(scope))
            throw invalidArgument(
              `/scopes/${i}`,
              `is not a scope of this deployment: use one of ${known.join(', ')}`,
            );
          if (!holds(caller, scope)) {
            throw invalidArgument(
              `/scopes/${i}`,
              `"${scope}" is not among the scopes of this credential (${caller.scopes.join(', ')}): remove it, or use a credential that has it`,
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
  throw invalidArgument(
    '/scopes',
    'this credential has no scopes that a key can have: use another credential',
  );
}
