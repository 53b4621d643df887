import type { SourceSymbol } from '../../contract.js';
import type { Range } from '../mark-declarations.js';
import { innermost } from './innermost.js';
import type { ScopeMark } from './fact-marks.js';

interface Scope {
  /** The innermost block or function around the offset. */
  readonly block: Range;
  /** The innermost function. */
  readonly body: Range;
  /** False inside an anonymous function of the symbol, and outside functions. */
  readonly own: boolean;
}

/** Finds the scope of an offset. Offsets must ascend, each with the symbol around it. */
export function scopesOf(
  marks: readonly ScopeMark[],
  length: number,
): (offset: number, symbol: SourceSymbol | undefined) => Scope {
  const file = { start: 0, end: length };
  const blocks = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
  const functions = blocks.filter(({ isFunction }) => isFunction);
  const outer = outerRanges(functions);
  const blockAt = innermost(blocks);
  const functionAt = innermost(functions);
  return (offset, symbol) => {
    const block = blockAt(offset);
    const inner = functionAt(offset);
    const around = inner === null ? undefined : outer[inner];
    const nested = symbol !== undefined && around !== undefined && around.start >= symbol.start;
    return {
      block: range(block === null ? undefined : blocks[block]) ?? file,
      body: range(inner === null ? undefined : functions[inner]) ?? file,
      own: (symbol?.kind === 'function' || symbol?.kind === 'method') && !nested,
    };
  };
}

function outerRanges(ranges: readonly Range[]): (Range | undefined)[] {
  const open: Range[] = [];
  return ranges.map((current) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= current.start) open.pop();
    const around = open.at(-1);
    open.push(current);
    return around;
  });
}

function range(mark: Range | undefined): Range | undefined {
  return mark && { start: mark.start, end: mark.end };
}
