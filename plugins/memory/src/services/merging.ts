import { IMPORTANCE, type CheckedCodeRefs } from '../schemas.js';

/** The parts of a record that another one which says the same can add to. */
export interface Mergeable {
  readonly tags: readonly string[];
  readonly metadata: object;
  readonly code_refs: CheckedCodeRefs;
  readonly provenance?: object;
  readonly importance?: (typeof IMPORTANCE)[number];
}

/** Limits of a merged record, and so of an imported one: twenty times those of an input. */
export const MAX_MERGED = {
  tags: 50 * 20,
  code_refs: 100 * 20,
  properties: 100 * 20,
  metadataBytes: 16 * 1024 * 20,
  /** Of all of these as JSON: the line of an export takes them with any content, each byte of which may be escaped. */
  bytes: 400 * 1024,
};

export function exceedsRecord({ tags, metadata, code_refs }: Mergeable): boolean {
  return (
    tags.length > MAX_MERGED.tags ||
    code_refs.length > MAX_MERGED.code_refs ||
    Object.keys(metadata).length > MAX_MERGED.properties ||
    Buffer.byteLength(JSON.stringify(metadata)) > MAX_MERGED.metadataBytes ||
    Buffer.byteLength(JSON.stringify([tags, metadata, code_refs])) > MAX_MERGED.bytes
  );
}

/** What a record gains from another that says the same: tags, references and fields that it lacks, and a higher importance. */
export function gained(kept: Mergeable, other: Mergeable) {
  const refs = new Map([...kept.code_refs, ...other.code_refs].map((ref) => [JSON.stringify(ref), ref]));
  const importance = IMPORTANCE.findLast((each) => each === kept.importance || each === other.importance);
  return {
    tags: [...new Set([...kept.tags, ...other.tags])],
    metadata: { ...other.metadata, ...kept.metadata },
    code_refs: [...refs.values()],
    ...(kept.provenance && { provenance: { ...other.provenance, ...kept.provenance } }),
    ...(importance && { importance }),
  };
}
