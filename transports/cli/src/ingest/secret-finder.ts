import { posix } from 'node:path';
import { pathMatcher } from './ignore-rules.js';

/** Usual names of files with credentials and private keys, in any case of letters. */
const SECRET = /^(\.env(\..+)?|id_(rsa|dsa|ecdsa|ed25519)|.*\.(pem|key|p12|pfx)|\.npmrc|\.netrc|\.pgpass)$/i;
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
    if (!SECRET.test(name) || SAMPLE.test(name)) return false;
    const beside = posix.join(posix.dirname(path), '.any.any');
    return !(named(path) && each.some((matches) => matches(path) && !matches(beside)));
  };
}
