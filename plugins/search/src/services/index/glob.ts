import { invalidArgument } from '@service-mcp/core/errors';
import { RE2JS } from 're2js';

/** Bounds of a glob: the index compiles it into an automaton, and refuses what nests deeply. */
const MAX_DEPTH = 8;
const MAX_WILDCARDS = 50;
/** Characters that mean themselves: `\<` and `\>` are the ends of a word to the index. */
const PLAIN = /[\p{L}\p{N}_/ <>-]/u;

/**
 * A glob over whole paths as an anchored regular expression of linear-time syntax: `*` and `?` stay inside a
 * folder, `**` crosses folders, `[abc]` and `[!abc]` are classes, `{a,b}` alternatives. A glob without `/` matches
 * the file name in any folder; one that begins with `/` or `./` begins at the project, one that ends in `/` is a folder with all in it. Throws INVALID_ARGUMENT for one that does not close, nests braces more than 8 deep, or has more than 50
 * wildcards.
 */
export function globToRegExp(written: string): string {
  const anywhere = written.includes('/') ? '' : '(.*/)?';
  const glob = written.replace(/^(?:\.?\/)+/u, '').replace(/\/$/u, '/**');
  let source = '';
  let depth = 0;
  if ((glob.match(/[*?[]/gu) ?? []).length > MAX_WILDCARDS) throw bad(`more than ${MAX_WILDCARDS} wildcards`);
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
      const members = classMembers(glob.slice(i + (negated ? 2 : 1), close));
      if (members === '') throw bad('an empty class');
      if (!isClass(members)) throw bad('a class with a range that runs backwards');
      source += `[${negated ? '^/' : ''}${members}]`;
      i = close;
    } else if (char === '{') {
      depth++;
      if (depth > MAX_DEPTH) throw bad(`braces nested more than ${MAX_DEPTH} deep`);
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

/** Characters and ranges, each end quoted: LanceDB takes `--`, `&&` and `~~` for operators on sets. */
function classMembers(written: string): string {
  const chars = written.match(/./gsu) ?? [];
  const quoted = chars.map((char) => char.replace(/[\\[\]^&~-]/u, '\\$&'));
  let members = '';
  for (let i = 0; i < chars.length; i++) {
    const isRange = chars[i + 1] === '-' && i + 2 < chars.length;
    members += isRange ? `${quoted[i]}-${quoted[i + 2]}` : quoted[i];
    if (isRange) i += 2;
  }
  return members;
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
