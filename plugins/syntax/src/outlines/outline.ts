import type { SourceSymbol, SymbolKind } from '../contract.js';
import { clip, signatureOf, trimmedEnd } from '../text.js';
import { MAX_QUALIFIED_NAME, QualifiedNames } from '../worker/qualified-names.js';
import { linesOf, MAX_LINE, type Line, type Spans } from './lines.js';

/** How the declarations of a language without a grammar are recognized. */
export interface Declarations {
  /** Matches a line from its first character that is not white space; the name is its last group that matched. */
  readonly patterns: ReadonlyArray<readonly [kind: SymbolKind, line: RegExp]>;
  /** Of comments, annotations and attributes that belong to the declaration below. */
  readonly leads: RegExp;
  /**
   * What begins and ends comments and texts of several lines, in which nothing is a declaration. Without an end, that is a line
   * of what the beginning holds as its last group.
   */
  readonly spans?: Spans;
  /** Kinds that are not declarations of their own inside of others, as variables. */
  readonly topOnly?: ReadonlySet<SymbolKind>;
  /** False where a call looks like a declaration: none are looked for inside of functions. */
  readonly localFunctions?: boolean;
  /** What a declaration goes on to, besides lines further to the right: its equations, or the semicolon of its statement. */
  readonly ends?: 'equations' | 'statement';
  /**
   * A statement that declares what the lines below it belong to, and the line, as far left as it, that ends that. `isPart`:
   * whether this line belongs to it too.
   */
  readonly holds?: readonly [begin: RegExp, end: RegExp, isPart?: boolean];
  /** Closes a declaration as far left as it, where that is not a bracket or `end`. */
  readonly closing?: RegExp;
  /** Lines as far left as a declaration that belong to it. */
  readonly goesOn?: RegExp;
  /** Where bodies stand no further to the right: the line that ends a declaration, as far left as it. */
  readonly until?: RegExp;
}

interface Declaration {
  readonly name: string;
  readonly kind: SymbolKind;
}

interface Open {
  readonly index: number;
  readonly last: number;
}

const MAX_NAME = 256;
const MAX_DEPTH = 64;
/** Closes what was opened at its indentation, or goes on with a signature. */
const CLOSING = /^(?:[)\]}{]|(?:end|then|do|where)\b)/;
const OPENING = /(?:[([{]|\b(?:do|then)|=|->)$/;
const TYPES: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'enum', 'type']);

/**
 * The declarations of a text by the first words of lines. One ends where a line stands as far left as its first, unless that
 * closes what it opened: this is how people and formatters indent, whatever the language takes to close a body.
 */
export function outline(text: string, declarations: Declarations): SourceSymbol[] {
  const lines = linesOf(text, declarations.spans ?? []);
  const names = new QualifiedNames();
  const symbols: SourceSymbol[] = [];
  const open: Open[] = [];
  let declared = -1; // the line of the declaration before
  lines.forEach((line, at) => {
    if (line.indent < 0) return;
    while ((open.at(-1)?.last ?? at) < at) open.pop();
    const parent = open.at(-1)?.index ?? null;
    const around = parent === null ? undefined : symbols[parent];
    const isLocal = around?.kind === 'function' || around?.kind === 'method';
    if (isLocal && declarations.localFunctions === false) return;
    const found = declarationAt(line, declarations, parent === null);
    if (!found || open.length >= MAX_DEPTH) return;
    const { name, kind } = found;
    const qualified = around ? `${around.qualifiedName}.${name}` : name;
    if (qualified.length > MAX_QUALIFIED_NAME) return;
    const isMethod = kind === 'function' && around !== undefined && TYPES.has(around.kind);
    const first = firstLead(lines, at, declared, declarations.leads);
    declared = at;
    const last = Math.min(lastLine(lines, at, found, declarations), open.at(-1)?.last ?? Infinity);
    const start = lines[first]!.start + lines[first]!.indent;
    const end = trimmedEnd(text, start, lines[last]!.start + lines[last]!.text.length);
    symbols.push({
      name,
      qualifiedName: names.claim(qualified),
      kind: isMethod ? 'method' : kind,
      start,
      end,
      startLine: first + 1,
      endLine: last + 1,
      signature: signatureOf(text, line.start + line.indent, Math.min(end, line.start + line.text.length)),
      parent,
    });
    open.push({ index: symbols.length - 1, last });
  });
  return symbols;
}

function declarationAt(
  { text, indent }: Line,
  { patterns, topOnly }: Declarations,
  isTop: boolean,
): Declaration | undefined {
  const words = text.slice(indent, indent + MAX_LINE);
  for (const [kind, pattern] of patterns) {
    if (!isTop && topOnly?.has(kind)) continue;
    const match = pattern.exec(words);
    const name = match?.slice(1).findLast((group) => group !== undefined && group !== '');
    if (name !== undefined) return { name: clip(name.replaceAll(/["`]/g, ''), MAX_NAME), kind };
  }
  return undefined;
}

/** The first of the comments and annotations right above a line and below another one, at its indentation. */
function firstLead(lines: readonly Line[], at: number, floor: number, leads: RegExp): number {
  let first = at;
  for (let above = at - 1; above > floor; above -= 1) {
    const { text, indent, column, start } = lines[above]!;
    const isPart =
      text.trim() !== '' && (indent < 0 || (column === lines[at]!.column && leads.test(text.slice(indent))));
    if (!isPart) break;
    if (indent >= 0) first = above;
    if (start === 0) break;
  }
  return first;
}

function lastLine(
  lines: readonly Line[],
  at: number,
  found: Declaration,
  declarations: Declarations,
): number {
  const { name } = found;
  const { leads, ends, until, goesOn, holds, closing = CLOSING } = declarations;
  if (holds && matches(lines[at]!, holds[0])) return lastHeld(lines, at, holds, leads);
  if (ends === 'statement') return endOfStatement(lines, at);
  if (until) return lastLineUntil(lines, at, found.kind, until, declarations);
  const { column } = lines[at]!;
  let last = at;
  let isFlat = false;
  for (let below = at + 1; below < lines.length; below += 1) {
    const line = lines[below]!;
    if (line.inSpan && last === below - 1) last = below;
    if (line.indent < 0) continue;
    const words = line.text.slice(line.indent);
    // Code that was commented out stands wherever it did.
    if (line.column <= column && isComment(words, leads)) continue;
    const isLevel = line.column === column;
    const isEquation =
      isLevel && ends === 'equations' && words.startsWith(name) && !/^[\w']/.test(words.slice(name.length));
    const isPart = isLevel && goesOn?.test(words) === true;
    const closes = isLevel && closing.test(words);
    // A body that stands no further to the right than its declaration.
    isFlat ||= isLevel && !closes && lines[last]!.text.endsWith('{');
    if (line.column < column || (isLevel && !closes && !isFlat && !isEquation && !isPart)) break;
    last = below;
    if (closes && !OPENING.test(words)) break;
  }
  return last;
}

const matches = ({ text, indent }: Line, words: RegExp) => words.test(text.slice(indent, indent + MAX_LINE));

/** The last line of what a statement holds; where it does not hold the one that ends it, before the comments of that. */
function lastHeld(
  lines: readonly Line[],
  at: number,
  [, end, isPart = false]: NonNullable<Declarations['holds']>,
  leads: RegExp,
): number {
  const { column } = lines[at]!;
  let next = at + 1;
  while (next < lines.length && !(lines[next]!.column === column && matches(lines[next]!, end))) next += 1;
  if (isPart && next < lines.length) return next;
  let last = next < lines.length ? firstLead(lines, next, at, leads) - 1 : next - 1;
  while (last > at && lines[last]!.indent < 0) last -= 1;
  return last;
}

/** Not an annotation or attribute, which a declaration may follow on the line. */
function isComment(words: string, leads: RegExp): boolean {
  return leads.test(words) && !/^(?:[@[<]|-\w)/.test(words);
}

/** Without a line that ends it, a declaration reaches to the next one as far left as it; those of a module may be. */
function lastLineUntil(
  lines: readonly Line[],
  at: number,
  kind: SymbolKind,
  until: RegExp,
  declarations: Declarations,
): number {
  const { column } = lines[at]!;
  const isModule = kind === 'module';
  let last = at;
  let inner = 0;
  for (let below = at + 1; below < lines.length; below += 1) {
    const line = lines[below]!;
    if (line.inSpan && last === below - 1) last = below;
    if (line.indent < 0) continue;
    const isEnd = line.column <= column && until.test(line.text.slice(line.indent));
    if (isEnd && line.column === column && inner === 0) return below;
    const other = line.column <= column ? declarationAt(line, declarations, true) : undefined;
    const isInner = isModule && other !== undefined && other.kind !== 'module' && line.column === column;
    if ((isEnd && inner === 0) || (other && !isInner)) break;
    inner += Number(isInner) - Number(isEnd);
    if (!isComment(line.text.slice(line.indent), declarations.leads)) last = below;
  }
  return last;
}

/**
 * A statement ends with the delimiter that was set, else with a semicolon that stands as far left as it, but for those of
 * a body between dollars.
 */
function endOfStatement(lines: readonly Line[], at: number): number {
  const { column, delimiter } = lines[at]!;
  let last = at;
  let inBody = false;
  for (let below = at; below < lines.length; below += 1) {
    const line = lines[below]!;
    if (line.indent < 0) continue;
    if (line.delimiter !== delimiter) break;
    if (delimiter !== undefined) {
      last = below;
      if (line.text.endsWith(delimiter)) break;
      continue;
    }
    if (below > at && !inBody && /^create\s/i.test(line.text.slice(line.indent))) break;
    if ((line.text.match(/\$\w*\$/g)?.length ?? 0) % 2 === 1) inBody = !inBody;
    last = below;
    if (!inBody && line.column <= column && /(?:;|\/\/|\$\$)\s*(?:--.*)?$/.test(line.text)) break;
  }
  return last;
}
