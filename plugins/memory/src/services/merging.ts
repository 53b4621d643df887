import type { CheckedCodeRefs } from '../schemas.js';

/** The parts of a record that another one which says the same can add to. */
export interface Mergeable {
  readonly tags: readonly string[];
  readonly metadata: object;
  readonly code_refs: CheckedCodeRefs;
  readonly provenance?: object;
}

/** What a record gains from another that says the same: tags, references and fields that it lacks. */
export function gained(kept: Mergeable, other: Mergeable) {
  const refs = new Map([...kept.code_refs, ...other.code_refs].map((ref) => [JSON.stringify(ref), ref]));
  return {
    tags: [...new Set([...kept.tags, ...other.tags])],
    metadata: { ...other.metadata, ...kept.metadata },
    code_refs: [...refs.values()],
    ...(kept.provenance && { provenance: { ...other.provenance, ...kept.provenance } }),
  };
}
