import { DEFAULT_SCOPES } from '../services/scopes.js';

/** Scopes of identity, besides those of the MCP endpoints. */
export const IDENTITY_SCOPES = ['openid', 'offline_access'] as const;

/** The scopes to ask for: what was asked, and the default set where nothing of it is for the MCP endpoints. */
export function withDefaultScopes(asked: string | undefined, known: readonly string[]): string {
  const words = (asked ?? '').split(' ').filter(Boolean);
  return (words.some((word) => known.includes(word)) ? words : [...words, ...DEFAULT_SCOPES]).join(' ');
}

const DOMAINS: ReadonlyMap<string, string> = new Map([
  ['mcp', 'everything in your workspaces: files, memory, search, the code graph, and who their members are'],
  ['workspaces', 'your workspaces, their projects, files and members'],
  ['search', 'what search finds in your projects'],
  ['memory', 'the memory of your workspaces'],
  ['graph', 'the code and knowledge graph'],
  ['ai', 'the context and plans made from your projects'],
  ['auth', 'your account and its API keys'],
  ['admin', 'the accounts and the audit log of this service'],
  ['metrics', 'the figures of this service'],
]);

/** Scopes in the words of the consent page, one line for reading and changing the same. */
export function describeScopes(scopes: readonly string[]): string[] {
  const isBoth = (domain: string) => scopes.includes(`${domain}:read`) && scopes.includes(`${domain}:write`);
  return scopes.flatMap((scope) => {
    if (scope === 'openid') return ['Know who you are: your name and e-mail address'];
    if (scope === 'offline_access') return ['Stay connected until you disconnect it'];
    const [domain = '', verb = ''] = scope.split(':');
    const what = DOMAINS.get(domain) ?? domain;
    if (!isBoth(domain)) return [`${verb === 'read' ? 'Read' : 'Change'} ${what}`];
    return verb === 'read' ? [`Read and change ${what}`] : [];
  });
}
