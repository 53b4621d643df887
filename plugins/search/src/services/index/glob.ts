import { invalidArgument } from '@service-mcp/core';
import { RE2JS } from 're2js';

const PLAIN = /[\p{L}\p{N}_/ -]/u;

/**
 * A glob over whole paths as an anchored regular expression of linear-time syntax: `*` and `?` stay inside a
 * folder, `**` crosses folders, `[abc]` and `[!abc]` are classes, `{a,b}` alternatives. A glob without `/` matches
 * the file name in any folder. Throws INVALID_ARGUMENT for one that does not close.
 */
export function globToRegExp(glob: string): string {
  const anywhere = glob.includes('/') ? '' : '(.*/)?';
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i] ?? '';
    if (char === '*') {
      if (glob[i + 1] !== '*') source += '[^/]*';
      else if (glob[i + 2] === '/') {
        source += '(.*/)?';
        i += 2;
      } else {
        source += '.*';
        i += 1;
      }
    } else if (char === '?') source += '[^/]';
    else if (char === '[') {
      const close = glob.indexOf(']', i + 2);
      if (close === -1) throw bad('a [ without its ]');
      const negated = glob[i + 1] === '!' || glob[i + 1] === '^';
      const members = glob.slice(i + (negated ? 2 : 1), close).replace(/[\\[\]^&~]/gu, '\\$&');
      if (members === '') throw bad('an empty class');
      if (!isClass(members)) throw bad('a class with a range that runs backwards');
      source += `[${negated ? '^/' : ''}${members}]`;
      i = close;
    } else if (char === '{') {
      depth++;
      source += '(';
    } else if (char === '}' && depth > 0) {
      depth--;
      source += ')';
    } else if (char === ',' && depth > 0) source += '|';
    else if (char === '\\' && i + 1 < glob.length) source += quote(glob[++i] ?? '');
    else source += quote(char);
  }
  if (depth > 0) throw bad('a { without its }');
  return `^${anywhere}${source}$`;
}

function isClass(members: string): boolean {
  try {
    return RE2JS.compile(`[${members}]`) !== undefined;
  } catch {
    return false;
  }
}

function quote(char: string): string {
  return PLAIN.test(char) || char > '\u007f' ? char : `\\${char}`;
}

function bad(what: string) {
  return invalidArgument('/filters/path_glob', `has ${what}; write it as *.ts, src/**/*.ts or {a,b}/*.md`);
}
