import ignore, { type Ignore } from 'ignore';
import { posix } from 'node:path';

/** Ignore rules of one folder: its own and those of the folders above it. */
export interface Rules {
  /** `path` is relative to the top of the rules, `/`-separated. */
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules with those of ignore files in `folder` added; later ones win, as deeper ones do in git. */
  within(folder: string, texts: readonly string[]): Rules;
}

// git compares case-sensitively where the file system does; the library's default does not.
const OPTIONS = { ignorecase: false };

export function noRules(): Rules {
  return rulesOf(ignore(OPTIONS));
}

function rulesOf(matcher: Ignore): Rules {
  return {
    ignores: (path, isFolder) => matcher.ignores(isFolder ? `${path}/` : path),
    within(folder, texts) {
      const patterns = texts.flatMap((text) => anchored(text, folder));
      return patterns.length === 0 ? this : rulesOf(ignore(OPTIONS).add(matcher).add(patterns));
    },
  };
}

/** Chooses paths by patterns in .gitignore syntax: `*.ts`, `src/`, `!generated.ts`. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const matcher = ignore(OPTIONS).add([...patterns]);
  return (path) => patterns.length > 0 && matcher.ignores(path);
}

/** The patterns of an ignore file in `folder`, relative to the top: `*.log` in `a/b` is `/a/b/**` + `/*.log`. */
export function anchored(text: string, folder: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const prefix = folder === '' ? '' : `/${folder.replace(/[\\*?[\]! #]/g, '\\$&')}`;
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    if (prefix === '') return [line];
    const negated = line.startsWith('!');
    const pattern = negated ? line.slice(1) : line;
    if (pattern.trim() === '' || pattern === '/') return [];
    // A slash that is not the last character ties a pattern to its folder (gitignore(5)).
    const tied = pattern.trimEnd().slice(0, -1).includes('/');
    const inside = tied ? `/${pattern.replace(/^\//, '')}` : `/**/${pattern}`;
    return [`${negated ? '!' : ''}${prefix}${inside}`];
  });
}

/**
 * Usual names of files in which people, clients and tools keep credentials and private keys, in any case of letters.
 * MCP clients write the key of this service into theirs.
 */
const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|bks|kdbx?|ppk|ovpn|tfstate)$/,
  /^(\.npmrc|[._]netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.pypirc|\.git-credentials|\.dockercfg|\.s3cfg|\.boto|\.vault-token|\.terraformrc)$/,
  /^(\.mcp|\.claude|claude_desktop_config|cline_mcp_settings|mcp_config|credentials|application_default_credentials|client_secret.*)\.json$/,
];
/** The same, of folders that tools own. */
const SECRET_PATHS = [
  /(^|\/)\.[^/]+\/(.+\/)?mcp(_config|_settings)?\.json$/, // .cursor/mcp.json, .vscode/mcp.json, .kiro/settings/mcp.json
  /(^|\/)\.(aws|gem|cargo)\/credentials(\.toml)?$/,
  /(^|\/)\.(codex\/auth|gemini\/settings|gemini\/oauth_creds|docker\/config)\.json$/,
  /(^|\/)\.(kube\/config|config\/gh\/hosts\.yml|config\/service-mcp\/.+)$/,
];
/** Environment files that list variables without their values. */
const SAMPLE = /^\.env\.(.+\.)?(example|sample|template)$/i;

/**
 * Recognises files that may hold secrets by their names. One that a pattern of --include names is sent nevertheless,
 * unless the pattern matches everything beside it too (`*`, `src/`).
 */
export function secretFinder(include: readonly string[]): (path: string) => boolean {
  const named = pathMatcher(include);
  const each = include.map((pattern) => pathMatcher([pattern]));
  return (path) => {
    const name = posix.basename(path);
    const matches = (patterns: readonly RegExp[], text: string) =>
      patterns.some((pattern) => pattern.test(text.toLowerCase()));
    if (!(matches(SECRET_NAMES, name) || matches(SECRET_PATHS, path)) || SAMPLE.test(name)) return false;
    const beside = posix.join(posix.dirname(path), '.any.any');
    return !(named(path) && each.some((chosen) => chosen(path) && !chosen(beside)));
  };
}
