import type { Binding, Call, Facts, Import, Reference, SourceSymbol } from '../../contract.js';
import type { FactRules } from '../../grammars/grammar.js';
import type { Range } from '../mark-declarations.js';
import { definitions } from './definitions.js';
import { innermost } from './innermost.js';
import {
  rangeKey,
  type BindingMark,
  type FactMarks,
  type ImportMark,
  type ReferenceMark,
} from './fact-marks.js';
import { scopesOf } from './scopes.js';

export interface FactContext {
  readonly text: string;
  readonly symbols: readonly SourceSymbol[];
  /** Start offsets of the names of declarations. */
  readonly declared: ReadonlySet<number>;
  readonly rules: FactRules;
}

interface Started {
  readonly start: number;
}

/** Orders the marks and finds the symbol, call and scope of each. */
export function placeFacts(marks: FactMarks, context: FactContext): Facts {
  const { symbols } = context;
  const place = <Fact extends Started>(facts: Iterable<Fact>): (Fact & { symbol: number | null })[] => {
    const symbolAt = innermost(symbols);
    return inOrder(facts).map((fact) => ({ ...fact, symbol: symbolAt(fact.start) }));
  };
  const calls = place(marks.calls.values());
  const callIndexes = new Map(calls.map(({ range }, index) => [rangeKey(range), index]));
  const callAt = (range: Range | null): number | null =>
    range === null ? null : (callIndexes.get(rangeKey(range)) ?? null);
  const exports = place(marks.exports);
  return {
    definitions: definitions(marks, exports, context),
    imports: place(withoutRepeats(marks.imports)),
    exports,
    calls: calls.map(({ range, receiverRange, ...call }): Call => ({
      ...call,
      end: range.end,
      receiverCall: callAt(receiverRange),
    })),
    inheritance: place(marks.inheritance),
    references: references(place(marks.references), marks, context.declared),
    bindings: bindings(marks, callAt, context),
    testCases: place(marks.testCases),
  };
}

function inOrder<Fact extends Started>(facts: Iterable<Fact>): Fact[] {
  return [...facts].sort((a, b) => a.start - b.start);
}

/** `const x = require('x')` also matches as a call of require: the import that binds a name replaces it. */
function withoutRepeats(imports: readonly ImportMark[]): Omit<Import, 'symbol'>[] {
  const binding = imports.filter(({ fact }) => fact.kind !== 'load');
  const bound = new Set(binding.map(({ moduleStart }) => moduleStart));
  return imports
    .filter(({ fact, moduleStart }) => fact.kind !== 'load' || !bound.has(moduleStart))
    .map(({ fact }) => fact);
}

/** Drops names of other facts, ignored ranges, and names inside an earlier path: `b` in `a.b`. */
function references(
  placed: readonly (ReferenceMark & Reference)[],
  { taken, ignored }: FactMarks,
  declared: ReadonlySet<number>,
): Reference[] {
  const ranges = inOrder(ignored);
  const kept: Reference[] = [];
  let next = 0;
  let free = 0; // end of the last path or ignored range
  for (const { end, ...reference } of placed) {
    const { start, role, name } = reference;
    for (; next < ranges.length && (ranges[next] as Range).start <= start; next += 1) {
      free = Math.max(free, (ranges[next] as Range).end);
    }
    const last = kept.at(-1);
    if (last?.start === start) {
      if (last.role === 'value') kept[kept.length - 1] = reference; // a type or a decorator is more precise
    } else if (
      start >= free &&
      name !== '' &&
      (role === 'decorator' || !(taken.has(start) || declared.has(start)))
    ) {
      kept.push(reference);
      free = end;
    }
  }
  return kept;
}

/** A name that matches both kinds is the second. */
const REPLACED: Readonly<Partial<Record<Binding['kind'], Binding['kind']>>> = {
  variable: 'field',
  parameter: 'receiver',
};

function bindings(
  marks: FactMarks,
  callAt: (range: Range | null) => number | null,
  { text, symbols, declared }: FactContext,
): Binding[] {
  const symbolAt = innermost(symbols);
  const scopes = scopesOf(marks.scopes, text.length);
  const placed: Binding[] = [];
  for (const mark of inOrder<BindingMark>(marks.bindings.values())) {
    const { valueRange, ...binding } = mark;
    const around = symbolAt(mark.start);
    // A variable that is a symbol belongs to the symbol around it, like any other variable.
    const symbol = declared.has(mark.start) && around !== null ? (symbols[around]?.parent ?? null) : around;
    const { own, block, body } = scopes(mark.start, symbol === null ? undefined : symbols[symbol]);
    if (mark.kind === 'return' && !own) continue;
    const kind = mark.kind === 'parameter' && !own ? 'variable' : mark.kind;
    const replacedBy = REPLACED[kind];
    if (replacedBy && marks.bindings.has(`${replacedBy}${mark.start}`)) continue;
    const scope = mark.kind === 'parameter' ? body : block;
    placed.push({ ...binding, kind, symbol, scope, valueCall: callAt(valueRange) });
  }
  return placed;
}
