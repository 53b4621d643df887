import type { ClaimLimits } from '@service-mcp/core';
import type { IndexDocument } from '../contract.js';

/** How long the preparation of one batch may take: what was saved meanwhile comes next. */
const BATCH_MS = 250;
/** How long the preparation of the documents of one turn of a workspace may take, at first and at most. */
const TURN_MS = 2000;
const MAX_TURN_MS = 20_000;
/**
 * After a turn the text index is written again, whole. Where no other workspace waits, a turn has so many times the text
 * of its index (ADR 113).
 */
const TURN_PER_INDEX = 2;
/** Of each thread: the texts of a turn are in memory until it ends. */
const MAX_TURN_BYTES = 16 * 1024 * 1024;
/** Text of a chunk, about. */
const BYTES_PER_CHUNK = 1000;
/** The least share of a turn where many workspaces wait: opening and updating an index costs about 100 ms. */
const MIN_TURN_MS = 250;
/** So few bytes are one batch, which takes half a second to prepare. */
const FEW_BYTES = 512 * 1024;
/** What a document costs besides its text. */
const BYTES_PER_DOCUMENT = 1000;
/** Before anything was measured. */
const INITIAL_BYTES_PER_MS = 300;
/** Weight of the newest measurement. */
const SMOOTHING = 0.3;

/** Sizes batches by the measured speed of a thread of this process, so that each takes about as long on any machine. */
export class BatchSize {
  readonly #limits: { readonly batch_documents: number; readonly batch_bytes: number };
  readonly #threads: number;
  #bytesPerMs = INITIAL_BYTES_PER_MS;

  /** `threads` prepare a batch each at a time. */
  constructor(limits: { readonly batch_documents: number; readonly batch_bytes: number }, threads: number) {
    this.#limits = limits;
    this.#threads = threads;
  }

  /** Limits of a claim, where `waiting` workspaces share the time, for an index of so many chunks. */
  claim(waiting: number, chunks = 0): Required<Pick<ClaimLimits, 'limit' | 'maxBytes' | 'rest'>> {
    const { batch_documents, batch_bytes } = this.#limits;
    const speed = this.#bytesPerMs * this.#threads;
    const most = MAX_TURN_BYTES * this.#threads;
    const grown = Math.min(TURN_PER_INDEX * chunks * BYTES_PER_CHUNK, most) / speed;
    const alone = Math.min(MAX_TURN_MS, Math.max(TURN_MS, grown));
    const turnMs = waiting <= 1 ? alone : Math.max(MIN_TURN_MS, TURN_MS / waiting);
    const bytes = turnMs * speed;
    const batches = (Math.max(TURN_MS, turnMs) / BATCH_MS) * this.#threads;
    return {
      limit: Math.min(Math.ceil(bytes / BYTES_PER_DOCUMENT), batch_documents * batches),
      maxBytes: Math.min(bytes, batch_bytes * batches),
      rest: true, // the tail of an upload would be a turn of its own
    };
  }

  /**
   * The next documents to prepare and to write together: at least one. Few are one batch: each write leaves a fragment in
   * every table, which every search then reads.
   */
  next(documents: readonly IndexDocument[], from: number): readonly IndexDocument[] {
    const { batch_documents, batch_bytes } = this.#limits;
    const few = Math.min(FEW_BYTES, batch_bytes);
    if (documents.length <= batch_documents && bytesOf(documents) <= few) return documents.slice(from);
    const budget = Math.min(BATCH_MS * this.#bytesPerMs, batch_bytes);
    let bytes = 0;
    let to = from;
    for (const document of documents.slice(from, from + batch_documents)) {
      bytes += costOf(document);
      if (to > from && bytes > budget) break;
      to += 1;
    }
    return documents.slice(from, to);
  }

  /** Notes how long the preparation of a batch took; writing it costs about as much for one document as for many. */
  prepared(batch: readonly IndexDocument[], ms: number): void {
    const bytes = bytesOf(batch);
    this.#bytesPerMs += SMOOTHING * (bytes / Math.max(1, ms) - this.#bytesPerMs);
  }
}

function costOf({ text }: IndexDocument): number {
  return BYTES_PER_DOCUMENT + text.length;
}

function bytesOf(documents: readonly IndexDocument[]): number {
  return documents.reduce((sum, document) => sum + costOf(document), 0);
}
