import { DEFAULT_SCOPES } from '../services/scopes.js';

/** Identity scopes. */
export const IDENTITY_SCOPES = ['openid', 'offline_access'] as const;

/** The requested scopes, with the default scopes when none of them is for the MCP endpoints. */
export function withDefaultScopes(requested: string | undefined, known: readonly string[]): string {
  const words = (requested ?? '').split(' ').filter(Boolean);
  return (words.some((word) => known.includes(word)) ? words : [...words, ...DEFAULT_SCOPES]).join(' ');
}

const DOMAINS: ReadonlyMap<string, string> = new Map([
  [
    'mcp',
    'everything in your workspaces (files, memory, search, the code graph and members), and your account and its API keys',
  ],
  ['workspaces', 'your workspaces, their projects, files and members'],
  ['search', 'search results of your projects'],
  ['memory', 'the memory of your workspaces'],
  ['graph', 'the code and knowledge graph'],
  ['ai', 'context and plans from your projects'],
  ['auth', 'your account and its API keys'],
  ['admin', 'the accounts and the audit log of this service'],
  ['metrics', 'the metrics of this service'],
]);

/**
 * Scopes as text for the consent page; read and write of one domain share a line. `stays`: the application gets a refresh
 * token, which does not depend on the scope `offline_access`.
 */
export function describeScopes(scopes: readonly string[], { stays }: { readonly stays: boolean }): string[] {
  const isBoth = (domain: string) => scopes.includes(`${domain}:read`) && scopes.includes(`${domain}:write`);
  const lines = scopes.flatMap((scope) => {
    if (scope === 'openid') return ['Know who you are: your name and e-mail address'];
    if (scope === 'offline_access') return [];
    const [domain = '', verb = ''] = scope.split(':');
    const what = DOMAINS.get(domain) ?? domain;
    if (!isBoth(domain)) return [`${verb === 'read' ? 'Read' : 'Change'} ${what}`];
    return verb === 'read' ? [`Read and change ${what}`] : [];
  });
  return stays ? [...lines, 'Stay connected until you disconnect it'] : lines;
}
