import type { CodeFacts } from '@service-mcp/plugin-graph/contract';
import type { SearchOutput } from '@service-mcp/plugin-search/contract';
import type { NameIndex } from './name-index.js';
import type { Part } from './requirements.js';

/** Lines of a file that a search found, or that declare what the requirements name. */
export interface FoundLines {
  readonly startLine: number;
  readonly endLine: number;
  /** Of the index; empty where it has none. */
  readonly symbol: string;
  readonly score: number;
}

export type FileKind = 'code' | 'doc' | 'test';

/** A file that the requirements may be about. */
export interface FoundFile {
  readonly projectId: string;
  readonly path: string;
  readonly kind: FileKind;
  /** How much it is about the requirements; files of one plan compare. */
  readonly score: number;
  /** What it scores for each part of the requirements that found it, by the number of the part. */
  readonly parts: ReadonlyMap<number, number>;
  /** The best first. */
  readonly lines: readonly FoundLines[];
  /** Why it was found, in a few words each. */
  readonly reasons: readonly string[];
}

/** What a team knows about the requirements. */
export interface FoundRecord {
  readonly id: string;
  /** Of the record: decision, constraint, lesson, … */
  readonly type: string;
  readonly title: string;
  readonly content: string;
  /** How it stands, in words: disputed, no longer valid; empty where it is simply in force. */
  readonly standing: string;
  readonly isInForce: boolean;
  /** Parts of the requirements that found it; none for one that only a constraint of the caller found. */
  readonly parts: readonly number[];
  /** Constraints of the caller that it matches, by number. */
  readonly constraints: readonly number[];
  readonly score: number;
}

/** A name that the requirements spell out, and what the project has of that name. */
export interface Mention {
  readonly text: string;
  readonly part: number;
  /** Ids of symbols or paths of files; empty where nothing has the name. */
  readonly targets: readonly string[];
}

/** Everything that a plan is written from. */
export interface Evidence {
  readonly requirements: string;
  readonly constraints: readonly string[];
  readonly parts: readonly Part[];
  /** The best first. */
  readonly files: readonly FoundFile[];
  readonly records: readonly FoundRecord[];
  /** False where the caller may not read memory. */
  readonly remembers: boolean;
  readonly mentions: readonly Mention[];
  /** Parts for which nothing was found, by number. */
  readonly missing: readonly number[];
  /** By project; none where the graph plugin is absent. */
  readonly facts: ReadonlyMap<string, CodeFacts>;
  readonly names: ReadonlyMap<string, NameIndex>;
  readonly index: SearchOutput['index'];
  readonly warnings: readonly string[];
}
