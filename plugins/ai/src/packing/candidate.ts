/** What a section can hold. */
export type SectionKind = 'code' | 'doc' | 'decision' | 'constraint' | 'lesson' | 'memory' | 'graph';

/** Lines of a text that may become a section. */
export interface Candidate {
  readonly kind: SectionKind;
  readonly title: string;
  /** Of a file; absent for memory. */
  readonly path?: string;
  readonly projectId?: string;
  /** Of a record. */
  readonly id?: string;
  /** From 1, inclusive; of `text` in its file. */
  readonly startLine?: number;
  readonly endLine?: number;
  readonly language?: string;
  /** Of a record: the day of which it is, since an older one may say something else. */
  readonly date?: string;
  readonly text: string;
  /** 0 to 1; candidates of all kinds compare. */
  readonly score: number;
  /** How a record stands that is not simply in force, such as disputed; its heading says so. */
  readonly standing?: string;
  /** Why it is here, in a few words. */
  readonly reason: string;
  /** It is here because it happened last, whatever the query; its heading says so. */
  readonly isRecent?: true;
  /** Its text is a part of what was found; its heading says so. */
  readonly isShortened?: true;
  /** Lines of `text`, from 0, that a shortened section keeps first. */
  readonly focus?: readonly number[];
}

/** A candidate that was taken, whole or shortened. */
export interface Section extends Candidate {
  readonly tokens: number;
}
