import type { MemoryLine } from './lines.js';

/** A valid line of a project of the workspace, and its number. */
export interface Entry<L extends MemoryLine = MemoryLine> {
  readonly line: number;
  readonly value: L;
  /** Of an edge, as its own file names them. */
  readonly ends?: Ends | undefined;
  /** Of a node: whether one that is there gets the observations of this line that it never had. */
  readonly grows?: boolean | undefined;
}

/** What the file of another program calls the nodes of an edge. */
export interface Ends {
  readonly source: string;
  readonly target: string;
}

/** The outcome of lines. */
export interface Tally {
  imported: number;
  skipped: number;
  readonly faults: Array<{ readonly line: number; readonly message: string }>;
}

export function fail(tally: Tally, line: number, message: string): void {
  tally.faults.push({ line, message });
}

/** The entries of one kind of record. */
export function only<R extends MemoryLine['record']>(
  batch: readonly Entry[],
  record: R,
): Entry<Extract<MemoryLine, { record: R }>>[] {
  return batch.filter((entry) => entry.value.record === record) as Entry<
    Extract<MemoryLine, { record: R }>
  >[]; // as filtered
}

/** Every id that a line names, its project's excepted. */
export function idsIn(value: MemoryLine): string[] {
  const named = { ...value, ...(value.record === 'version' && value.node) };
  const fields = [
    'id',
    'node_id',
    'supersedes',
    'superseded_by',
    'source_node_id',
    'target_node_id',
  ] as const;
  return fields.flatMap((field) => {
    const id = (named as Partial<Record<(typeof fields)[number], string | null>>)[field];
    return id ? [id] : [];
  });
}
