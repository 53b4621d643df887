import type { RankedDocument } from '@service-mcp/plugin-search/contract';
import type { Kind } from './kinds.js';

/** A record as it is ranked: what both kinds have, and what one has. */
export interface Row {
  readonly id: string;
  readonly kind: Kind;
  readonly type: string;
  readonly at: string;
  /** As it was at the time that was asked for; the present one is read for results alone. */
  readonly text?: RecordText;
  readonly importance: string | null;
  readonly session_id: string | null;
  readonly project_id: string | null;
  readonly status: string | null;
  readonly superseded_by: string | null;
  readonly valid_to: string | null;
}

export interface RecordText {
  readonly title: string;
  readonly content: string;
}

export interface Scored {
  readonly score: number;
  /** The scores of the text alone. */
  readonly parts: RankedDocument['scores'];
}
