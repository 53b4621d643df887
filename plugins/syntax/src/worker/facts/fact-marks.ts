import type { Binding, Call, Export, Import, Inheritance, Reference, TestCase } from '../../contract.js';
import type { Range } from '../mark-declarations.js';

type Unplaced<Fact> = Omit<Fact, 'symbol'>;

export interface ImportMark {
  readonly fact: Unplaced<Import>;
  readonly moduleStart: number;
}

export interface CallMark extends Omit<Unplaced<Call>, 'receiverCall' | 'end'> {
  readonly range: Range;
  readonly receiverRange: Range | null;
}

export interface BindingMark extends Unplaced<Pick<Binding, 'start' | 'line' | 'column' | 'kind' | 'name'>> {
  owner: string | null;
  type: string | null;
  value: string | null;
  /** The call whose result is bound. */
  valueRange: Range | null;
}

export interface ReferenceMark extends Unplaced<Reference> {
  readonly end: number;
}

export interface ScopeMark extends Range {
  readonly isFunction: boolean;
}

/** Facts in the order of the query's matches, without the symbols and calls they belong to. */
export interface FactMarks {
  readonly imports: ImportMark[];
  readonly exports: Unplaced<Export>[];
  readonly calls: Map<number, CallMark>;
  readonly inheritance: Unplaced<Inheritance>[];
  readonly references: ReferenceMark[];
  readonly bindings: Map<string, BindingMark>;
  readonly testCases: Unplaced<TestCase>[];
  readonly scopes: ScopeMark[];
  /** Start offsets of the names of other facts. */
  readonly taken: Set<number>;
  /** Ranges without references. */
  readonly ignored: Range[];
  /** Offsets inside the definitions that are exported, and inside those that are tests. */
  readonly exported: number[];
  readonly tests: number[];
}

export function emptyMarks(): FactMarks {
  return {
    imports: [],
    exports: [],
    calls: new Map(),
    inheritance: [],
    references: [],
    bindings: new Map(),
    testCases: [],
    scopes: [],
    taken: new Set(),
    ignored: [],
    exported: [],
    tests: [],
  };
}

/** One number for a range: texts are at most 16 MiB. */
export function rangeKey({ start, end }: Range): number {
  return start * 2 ** 25 + end;
}
