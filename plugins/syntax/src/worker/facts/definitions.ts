import type { Definition, Export, SourceSymbol } from '../../contract.js';
import { innermost } from './innermost.js';
import type { FactMarks } from './fact-marks.js';
import type { FactContext } from './place-facts.js';

/** The definition of each symbol. */
export function definitions(
  marks: FactMarks,
  exports: readonly Export[],
  { symbols, rules }: FactContext,
): Definition[] {
  const stated = symbolsAt(marks.exported, symbols);
  const tests = symbolsAt(marks.tests, symbols);
  const names = new Set(exports.map(({ local }) => local));
  const exported: boolean[] = [];
  symbols.forEach((symbol, index) => {
    const parent = symbol.parent === null ? undefined : symbols[symbol.parent];
    const open =
      symbol.parent === null || (exported[symbol.parent] === true && parent !== undefined && holds(parent));
    const listed = parent === undefined && names.has(symbol.name);
    exported.push(stated.has(index) || listed || (open && !rules.hidden(symbol, parent)));
  });
  return symbols.map((_, index) => ({ exported: exported[index] === true, test: tests.has(index) }));
}

/** Definitions inside a function are local. */
function holds({ kind }: SourceSymbol): boolean {
  return kind !== 'function' && kind !== 'method';
}

function symbolsAt(offsets: readonly number[], symbols: readonly SourceSymbol[]): ReadonlySet<number | null> {
  const symbolAt = innermost(symbols);
  return new Set([...offsets].sort((a, b) => a - b).map(symbolAt));
}
