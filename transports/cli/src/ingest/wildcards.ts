/** One byte of a set, any number of them, or the choice to leave out the next two steps: a `**` and its slash. */
interface Step {
  readonly accepts: (byte: number) => boolean;
  readonly kind: 'one' | 'many' | 'choice';
}

const SLASH = 0x2f;
const isAny = () => true;
const isNone = () => false;
const isNoSlash = (byte: number) => byte !== SLASH;

/** POSIX classes, of ASCII as in git. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z0-9]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[^ -~\u0080-\u00ff]/],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t\n\v\f\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[A-Fa-f0-9]/],
]);

/**
 * Compiles a pattern with the wildcards of git (`wildmatch.c` with `WM_PATHNAME`): `*`, `?`, `[…]`, `\`, and `**` as a whole
 * part of a path. Pattern and text are bytes, one a character. The time of a match is at most the product of both lengths:
 * it follows all places of the pattern that a part of the text can lead to at once.
 */
export function compileWildcards(pattern: string): (text: string) => boolean {
  const steps = parseSteps(pattern);
  if (!steps) return () => false;
  // Most texts fail these two, which cost little.
  const minLength = steps.filter(({ kind }, i) => kind === 'one' && steps[i - 2]?.kind !== 'choice').length;
  const end = plainEnd(pattern);
  return (text) => text.length >= minLength && text.endsWith(end) && follow(steps, text);
}

function follow(steps: readonly Step[], text: string): boolean {
  let places = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  places[0] = 1;
  for (let at = 0; ; at += 1) {
    steps.forEach(({ kind }, i) => {
      if (!places[i] || kind === 'one') return;
      places[i + 1] = 1;
      if (kind === 'choice') places[i + 3] = 1;
    });
    if (at === text.length) return places[steps.length] === 1;
    const byte = text.charCodeAt(at);
    next.fill(0);
    steps.forEach(({ accepts, kind }, i) => {
      if (places[i] && accepts(byte)) next[kind === 'many' ? i : i + 1] = 1;
    });
    if (!next.includes(1)) return false;
    [places, next] = [next, places];
  }
}

/** Undefined for a pattern that matches nothing: an open or unknown class, or a backslash at the end. */
function parseSteps(pattern: string): Step[] | undefined {
  const steps: Step[] = [];
  let afterChoice = -1;
  for (let i = 0; i < pattern.length; i += 1) {
    const start = i;
    if (pattern[i] === '*') {
      while (pattern[i + 1] === '*') i += 1;
      const isPart = start === 0 || pattern[start - 1] === '/';
      const isDeep = i > start && isPart && /^(?:$|\\?\/)/.test(pattern.slice(i + 1, i + 3));
      if (isDeep && pattern[i + 1] === '/') {
        i += 1;
        // A second `**/` in a row adds nothing.
        if (start !== afterChoice)
          steps.push(
            { kind: 'choice', accepts: isNone },
            { kind: 'many', accepts: isAny },
            { kind: 'one', accepts: isByte('/') },
          );
        afterChoice = i + 1;
      } else steps.push({ kind: 'many', accepts: isDeep ? isAny : isNoSlash });
    } else if (pattern[i] === '?') steps.push({ kind: 'one', accepts: isNoSlash });
    else if (pattern[i] === '[') {
      const found = parseClass(pattern, i + 1);
      if (!found) return undefined;
      steps.push({ kind: 'one', accepts: found.accepts });
      i = found.end;
    } else {
      if (pattern[i] === '\\') i += 1;
      const byte = pattern[i];
      if (byte === undefined) return undefined;
      steps.push({ kind: 'one', accepts: isByte(byte) });
    }
  }
  return steps;
}

/** The class after a bracket, and where it ends: at a `]` that is not its first member. */
function parseClass(
  pattern: string,
  start: number,
): { readonly accepts: Step['accepts']; readonly end: number } | undefined {
  const isNegated = pattern[start] === '!' || pattern[start] === '^';
  const first = isNegated ? start + 1 : start;
  const members = new Set<number>();
  /** What a range may begin with. */
  let before: string | undefined;
  for (let i = first; i < pattern.length; i += 1) {
    if (pattern[i] === ']' && i > first)
      return { accepts: (byte) => byte !== SLASH && members.has(byte) !== isNegated, end: i };
    const named = /^\[:([^\]]*):\]/.exec(pattern.slice(i, i + MAX_NAME));
    if (named) {
      const isMember = CLASSES.get(named[1] ?? '');
      if (!isMember) return undefined;
      for (let byte = 0; byte < 256; byte += 1)
        if (isMember.test(String.fromCharCode(byte))) members.add(byte);
      i += named[0].length - 1;
      before = undefined;
      continue;
    }
    const from = pattern[i] === '-' && pattern[i + 1] !== ']' ? before : undefined;
    if (from !== undefined) i += 1;
    if (pattern[i] === '\\') i += 1;
    const last = pattern[i];
    if (last === undefined) return undefined;
    for (let byte = (from ?? last).charCodeAt(0); byte <= last.charCodeAt(0); byte += 1) members.add(byte);
    before = from === undefined ? last : undefined;
  }
  return undefined;
}

/** Characters that the name of a class is looked for in: more than `[:xdigit:]` has. */
const MAX_NAME = 32;

function isByte(character: string): Step['accepts'] {
  const expected = character.charCodeAt(0);
  return (byte) => byte === expected;
}

/** What every text that matches ends with. A slash may belong to `**`. */
function plainEnd(pattern: string): string {
  let start = pattern.length;
  while (start > 0 && !'*?[]\\/'.includes(pattern.charAt(start - 1))) start -= 1;
  return pattern.slice(start);
}
