import { packJson, unpackJson } from '../store/packed-json.js';
import type { Structure } from '../store/structures.js';

/** Packed structures, which take as many bytes as their source. */
const PACKED_BYTES = 128 * 1024 * 1024;

/**
 * Structures in a thread by their hash, packed: as objects they take twenty times the memory, and a resolution that reads
 * them from there is not measurably faster.
 */
export class StructureCache {
  /** The least recently used first. */
  readonly #packed = new Map<string, Uint8Array | ArrayBuffer>();
  #packedBytes = 0;

  has(hash: string): boolean {
    return this.#packed.has(hash);
  }

  /** Returns it packed. */
  add(hash: string, structure: Structure): Uint8Array {
    const packed = packJson(JSON.stringify(structure));
    this.addPacked(hash, packed);
    return packed;
  }

  /** Nothing leaves before {@link trim}. */
  addPacked(hash: string, packed: Uint8Array | ArrayBuffer): void {
    this.#packedBytes += packed.byteLength - (this.#packed.get(hash)?.byteLength ?? 0);
    this.#packed.delete(hash);
    this.#packed.set(hash, packed);
  }

  /** Of the packed structure; 0 for a hash that it does not have. */
  bytes(hash: string): number {
    return this.#packed.get(hash)?.byteLength ?? 0;
  }

  /** Throws for a hash that it does not have. */
  read(hash: string): Structure {
    const packed = this.#packed.get(hash);
    if (!packed) throw new Error('a structure is missing');
    return unpackJson<Structure>(packed);
  }

  /** Makes the structures of a project the most recently used. */
  prefer(hashes: ReadonlySet<string>): void {
    for (const hash of hashes) {
      const packed = this.#packed.get(hash);
      if (packed) this.addPacked(hash, packed);
    }
  }

  trim(): void {
    for (const [hash, packed] of this.#packed) {
      if (this.#packedBytes <= PACKED_BYTES) return;
      this.#packed.delete(hash);
      this.#packedBytes -= packed.byteLength;
    }
  }
}
