import type { SourceSymbol } from '../contract.js';
import { clip, isSpace, Lines, signatureOf, trimmedEnd } from '../text.js';
import type { Mark, Marks, Range } from './mark-declarations.js';
import { MAX_QUALIFIED_NAME, QualifiedNames } from './qualified-names.js';

/** Deeper declarations are dropped: only hostile texts have them, and qualified names grow with depth. */
const MAX_DEPTH = 64;
const MAX_NAME = 256;

interface Placed {
  readonly mark: Mark;
  readonly end: number;
  readonly named: { readonly name: string; readonly parts: readonly string[] };
}

interface Open {
  readonly range: Range;
  readonly qualified: string;
  /** Null for a scope. */
  readonly symbol: number | null;
  readonly variable: boolean;
  readonly nameStart: number;
  /** Start of the body: what comes before, as the defaults of parameters do, belongs to the scope around it. */
  readonly body: number | null;
}

export interface PlacedSymbols {
  /** In source order. */
  readonly symbols: readonly SourceSymbol[];
  /** For each symbol the offset of its name, or of the declaration of one without a name. */
  readonly nameStarts: readonly number[];
  /** False where declarations were dropped because of their depth, their ranges or the length of their qualified names. */
  readonly complete: boolean;
}

/** Turns marks into symbols: order, parents, qualified names, ranges with their leads, signatures. */
export function placeSymbols(text: string, marks: Marks): PlacedSymbols {
  const lines = new Lines(text);
  const ordered: Placed[] = marks.declarations
    .map((mark) => ({
      mark,
      end: trimmedEnd(text, mark.range.start, mark.range.end),
      named: splitName(mark),
    }))
    .sort((a, b) => a.mark.range.start - b.mark.range.start || b.end - a.end);
  const defined = definedNames(ordered);
  const leadEnds = new Map(marks.leads.map((lead) => [lead.start, lead.end])); // of nested ones the outer end, the last
  const symbols: SourceSymbol[] = [];
  const nameStarts: number[] = [];
  const names = new QualifiedNames();
  const stack: Open[] = [];
  let complete = true;
  let lastDeclared = -1;
  let dropped = 0; // end of the last declaration whose qualified name is too long: what is in it is dropped, too
  let closed = 0; // end of the last finished declaration: leads start after it

  for (const { mark, end, named } of ordered) {
    const declared = mark.range.start;
    if (end <= declared) continue;
    let top = stack.at(-1);
    while (top && (top.range.end <= declared || sameRange(top.range, declared, end))) {
      if (top.range.end <= declared) closed = Math.max(closed, top.range.end);
      stack.pop();
      top = stack.at(-1);
    }
    if (stack.length >= MAX_DEPTH || (top && end > top.range.end)) {
      complete = false;
      continue;
    }
    // A function without a name is not a member of the variable that it is assigned to.
    const anonymous = mark.kind === 'function' && mark.nameStart === null;
    // `struct a { … } b` names a type beside its variable.
    const isType = top?.variable === true && end <= top.nameStart;
    const around =
      anonymous || isType
        ? stack.findLast(({ variable, body }) => !variable && (body === null || body <= declared))
        : top;
    const base = [around?.qualified ?? '', ...named.parts].filter((part) => part !== '').join('.');
    if (declared < dropped || base.length > MAX_QUALIFIED_NAME) {
      dropped = Math.max(dropped, end);
      complete = false;
      continue;
    }
    if (mark.prototype && defined.has(base)) continue;
    // `typedef struct node {…} node` and the like declare one thing twice.
    const last = symbols.at(-1);
    if (last?.end === end && last.name === named.name && lastDeclared === declared) continue;
    if (mark.kind === null) {
      stack.push({
        range: { start: declared, end },
        qualified: base,
        symbol: null,
        variable: false,
        nameStart: declared,
        body: mark.body,
      });
      continue;
    }
    const parent = stack.findLast((open) => open.symbol !== null)?.symbol ?? null;
    const floor = Math.max(closed, parent === null ? 0 : (symbols[parent]?.start ?? 0));
    const start = Math.max(leadStart(text, lines, marks.leads, declared), floor);
    lastDeclared = declared;
    nameStarts.push(mark.nameStart ?? declared);
    const qualifiedName = names.claim(base);
    symbols.push({
      name: named.name,
      qualifiedName,
      kind: mark.kind,
      start,
      end,
      startLine: lines.at(start) + 1,
      endLine: lines.at(end - 1) + 1,
      signature: signature(text, mark, end, leadEnds),
      parent,
    });
    stack.push({
      range: { start: declared, end },
      qualified: qualifiedName,
      symbol: symbols.length - 1,
      variable: mark.kind === 'variable',
      nameStart: mark.nameStart ?? declared,
      body: mark.body,
    });
  }
  return { symbols, nameStarts, complete };
}

/** The full names of the definitions of the file: they replace declarations of the same name. */
function definedNames(ordered: readonly Placed[]): ReadonlySet<string> {
  const defined = new Set<string>();
  if (!ordered.some(({ mark }) => mark.prototype)) return defined;
  const stack: { end: number; name: string }[] = [];
  for (const { mark, end, named } of ordered) {
    while ((stack.at(-1)?.end ?? Infinity) <= mark.range.start) stack.pop();
    if (mark.prototype || stack.length >= MAX_DEPTH) continue;
    const name = [stack.at(-1)?.name ?? '', ...named.parts].filter((part) => part !== '').join('.');
    if (name.length > MAX_QUALIFIED_NAME) continue;
    if (mark.kind !== null) defined.add(name);
    stack.push({ end, name });
  }
  return defined;
}

/** `A::b<T>` is `b` in `A`. Quotes and brackets are not part of a name. */
function splitName(mark: Mark): { name: string; parts: string[] } {
  const parts = split(mark.name.replaceAll(/\s+/g, ' ').replace(/^\[?['"`](.*)['"`]\]?$/s, '$1'));
  const name = clip(parts.at(-1) ?? '', MAX_NAME) || 'unnamed';
  const whole = [...split(mark.qualifier), ...parts.slice(0, -1), name].map((part) => clip(part, MAX_NAME));
  // A namespace is one symbol however many parts its name has.
  return { name: mark.kind === 'module' ? whole.join('.') : name, parts: whole };
}

/** Where an operator of C++ or C# begins: `A::operator<`, `operator bool`. It is one part with what follows. */
const OPERATOR = /(?<=^|:: ?)operator\b(?!::|\\)/;

function split(name: string): string[] {
  const head = OPERATOR.exec(name)?.index ?? name.length;
  const parts = withoutArguments(name.slice(0, head)).split(/::|\\/);
  return [...parts, name.slice(head)].map((part) => part.trim()).filter((part) => part !== '');
}

/** `A<B<C>>::d` without its type arguments: `A::d`. */
function withoutArguments(name: string): string {
  let depth = 0;
  let kept = '';
  for (const character of name) {
    if (character === '<') depth += 1;
    else if (character === '>' && depth > 0) depth -= 1;
    else if (depth === 0) kept += character;
  }
  return kept === '' ? name : kept;
}

function sameRange(range: Range, start: number, end: number): boolean {
  return range.start === start && range.end === end;
}

/** A wider gap or indentation ends the search for leads: only hostile texts have them. */
const MAX_GAP = 1000;

/**
 * Start of the comments, decorators and attributes that belong to a declaration. Only white space separates each from the
 * next; it is on the same line or, at the same indentation, on the line before.
 */
function leadStart(text: string, lines: Lines, leads: readonly Range[], declared: number): number {
  let start = declared;
  for (let at = lastEndingBy(leads, declared); at >= 0; at -= 1) {
    const lead = leads[at] as Range;
    if (lead.start >= start) continue;
    if (start - lead.end > MAX_GAP) break;
    const end = trimmedEnd(text, lead.start, lead.end);
    const gap = text.slice(end, start);
    const breaks = gap.match(/\n/g)?.length ?? 0;
    if (gap.trim() !== '' || breaks > 1) break;
    if (breaks === 1) {
      const column = indentation(text, lines, start);
      if (column === null || indentation(text, lines, lead.start) !== column) break;
    }
    start = lead.start;
  }
  return start;
}

/** The column of an offset with only white space before it on its line; null elsewhere. */
function indentation(text: string, lines: Lines, offset: number): number | null {
  const line = lines.start(lines.at(offset));
  const begin = line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : line;
  if (offset - begin > MAX_GAP) return null;
  for (let at = begin; at < offset; at += 1) if (!isSpace(text.charCodeAt(at))) return null;
  return offset - begin;
}

/** Index of the last lead that ends at or before the offset; -1 when there is none. */
function lastEndingBy(leads: readonly Range[], offset: number): number {
  let low = 0;
  let high = leads.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((leads[middle] as Range).end <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The declaration from the end of its decorators to its body; of a variable the first line. */
function signature(text: string, mark: Mark, end: number, leadEnds: ReadonlyMap<number, number>): string {
  let start = mark.range.start;
  const endOfLead = (): number => leadEnds.get(start) ?? 0;
  for (let after = endOfLead(); after > start && after < end; after = endOfLead()) {
    start = after;
    while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  }
  if (mark.body !== null && mark.body > start) return signatureOf(text, start, mark.body);
  const newline = mark.kind === 'variable' ? text.indexOf('\n', start) : -1;
  return signatureOf(text, start, newline < 0 ? end : Math.min(newline, end));
}
