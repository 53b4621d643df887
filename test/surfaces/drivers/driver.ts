import type { Service } from '../../start-service.js';

/** A failure as a caller sees it on any surface. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: { readonly issues?: readonly { readonly path: string; readonly message: string }[] };
}

/** A call that ended: its data, or its failure. */
export type Outcome =
  | { readonly structured: Record<string, unknown>; readonly error?: never }
  | { readonly error: Failure; readonly structured?: never };

/** One way in to the tools, driven as a client of that surface would. */
export interface Driver {
  /** The names of the tools it can call, sorted. */
  tools(): Promise<string[]>;
  call(tool: string, args: object): Promise<Outcome>;
  close(): Promise<void>;
}

export interface SurfaceDriver {
  readonly name: string;
  /** The error for an unknown tool: REST has addresses, not names. */
  readonly unknownTool: 'UNKNOWN_TOOL' | 'NOT_FOUND';
  open(service: Service): Promise<Driver>;
}
