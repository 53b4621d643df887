import { posix } from 'node:path';
import { parsePatterns, toBytes, type IgnorePattern } from './ignore-patterns.js';

/** Ignore rules of one folder: its own and those of the folders above it. */
export interface Rules {
  /** `path` is relative to the top of the rules, `/`-separated. */
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules with those of ignore files in `folder` added; later ones win, as deeper ones do in git. */
  within(folder: string, texts: readonly string[]): Rules;
}

export function noRules(): Rules {
  return rulesOf([]);
}

/** Patterns of the ignore files of one folder; the last one that matches decides. */
interface FolderPatterns {
  readonly folder: string;
  readonly patterns: readonly IgnorePattern[];
}

/** `all` begins with the deepest folder. git compares case-sensitively where the file system does. */
function rulesOf(all: readonly FolderPatterns[]): Rules {
  return {
    ignores(path, isFolder) {
      const bytes = toBytes(path);
      for (const { folder, patterns } of all) {
        const inside = folder === '' ? bytes : bytes.slice(folder.length + 1);
        const name = bytes.slice(bytes.lastIndexOf('/') + 1);
        const decisive = patterns.findLast((pattern) => pattern.matches(inside, name, isFolder));
        if (decisive) return !decisive.negated;
      }
      return false;
    },
    within(folder, texts) {
      const patterns = texts.flatMap((text) => parsePatterns(text));
      return patterns.length === 0 ? this : rulesOf([{ folder: toBytes(folder), patterns }, ...all]);
    },
  };
}

/** Chooses paths by patterns in .gitignore syntax: `*.ts`, `src/`, `!generated.ts`. A folder ends with `/`. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const rules = noRules().within('', patterns);
  return (path) => {
    if (patterns.length === 0) return false;
    // A folder is chosen with all that is in it.
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      if (rules.ignores(path.slice(0, slash), true)) return true;
    return !path.endsWith('/') && rules.ignores(path, false);
  };
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
