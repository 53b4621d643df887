import { packJson, unpackJson } from '../store/packed-json.js';
import type { Structure } from '../store/structures.js';

/** Packed structures, which take as many bytes as their source. */
const PACKED_BYTES = 128 * 1024 * 1024;
/** JSON of the structures that are also kept as objects, which take three times as much: 7 MB of source. */
const OBJECT_BYTES = 48 * 1024 * 1024;
/** How many times larger the JSON of a structure is than the structure packed. */
const JSON_RATIO = 7;

/** Structures in a thread by their hash: packed, and as objects as far as they fit. */
export class StructureCache {
  /** The least recently used first. */
  readonly #packed = new Map<string, Uint8Array | ArrayBuffer>();
  readonly #objects = new Map<string, Structure>();
  #packedBytes = 0;
  #objectBytes = 0;

  has(hash: string): boolean {
    return this.#packed.has(hash);
  }

  /** Returns it packed. */
  add(hash: string, structure: Structure): Uint8Array {
    const packed = packJson(JSON.stringify(structure));
    this.addPacked(hash, packed);
    this.#keep(hash, structure, packed);
    return packed;
  }

  /** Nothing leaves before {@link trim}. */
  addPacked(hash: string, packed: Uint8Array | ArrayBuffer): void {
    this.#packedBytes += packed.byteLength - (this.#packed.get(hash)?.byteLength ?? 0);
    this.#packed.delete(hash);
    this.#packed.set(hash, packed);
  }

  /** Throws for a hash that it does not have. */
  read(hash: string): Structure {
    const object = this.#objects.get(hash);
    if (object) return object;
    const packed = this.#packed.get(hash);
    if (!packed) throw new Error('a structure is missing');
    const structure = unpackJson<Structure>(packed);
    this.#keep(hash, structure, packed);
    return structure;
  }

  /** Makes room for the structures of a project: they are the most recently used, and only they stay objects. */
  prefer(hashes: ReadonlySet<string>): void {
    for (const hash of hashes) {
      const packed = this.#packed.get(hash);
      if (packed) this.addPacked(hash, packed);
    }
    for (const hash of this.#objects.keys()) if (!hashes.has(hash)) this.#drop(hash);
  }

  trim(): void {
    for (const [hash, packed] of this.#packed) {
      if (this.#packedBytes <= PACKED_BYTES) return;
      this.#drop(hash);
      this.#packed.delete(hash);
      this.#packedBytes -= packed.byteLength;
    }
  }

  #keep(hash: string, structure: Structure, packed: Uint8Array | ArrayBuffer): void {
    const bytes = packed.byteLength * JSON_RATIO;
    if (this.#objects.has(hash) || this.#objectBytes + bytes > OBJECT_BYTES) return;
    this.#objects.set(hash, structure);
    this.#objectBytes += bytes;
  }

  #drop(hash: string): void {
    if (this.#objects.delete(hash))
      this.#objectBytes -= (this.#packed.get(hash)?.byteLength ?? 0) * JSON_RATIO;
  }
}
