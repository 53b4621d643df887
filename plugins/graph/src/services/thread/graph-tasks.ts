import { parseInThread, type ParseLimits } from '@service-mcp/plugin-syntax/contract';
import type { FileGraph, Manifest, SourceFile } from '../../model.js';
import { storedPart } from '../store/file-part.js';
import { packJson, unpackJson } from '../store/packed-json.js';
import type { Structure } from '../store/structures.js';

/** Binds the names of all files of a project: see `resolve/`. */
export type ResolveProject = (
  files: readonly SourceFile[],
  manifests: readonly Manifest[],
) => readonly FileGraph[];

/** A text to parse. Plain data, like all that is posted to the thread. */
export interface TextToParse {
  readonly hash: string;
  readonly path: string;
  readonly language: string | null;
  readonly text: string;
}

export interface ParseTask {
  readonly texts: readonly TextToParse[];
  readonly limits: ParseLimits;
}

/** Structures of the first `parsed` texts: of all, unless the thread is spent. */
export interface ParsedTexts {
  readonly parsed: number;
  /** By hash. A text of another language than source code has none. */
  readonly structures: ReadonlyMap<string, Uint8Array>;
  /** Hashes of texts that should have a structure, and have none. */
  readonly skipped: ReadonlyMap<string, 'too_large' | 'too_slow'>;
  /** The thread must be replaced. */
  readonly spent: boolean;
}

/** A file of a project to resolve. */
export interface FileToResolve {
  readonly path: string;
  readonly language: string | null;
  /** Hash of its structure; null for a file without one. */
  readonly structure: string | null;
  readonly note: string | null;
  /** Hash of its stored part; null where there is none. */
  readonly partHash: string | null;
}

export interface ResolveTask {
  readonly files: readonly FileToResolve[];
  readonly manifests: readonly Manifest[];
}

/** The parts that differ from the stored ones, by path; or the structures that the thread lacks. */
export type Resolved =
  | { readonly parts: ReadonlyMap<string, { readonly hash: string; readonly part: Uint8Array }> }
  | { readonly missing: readonly string[] };

interface CachedStructure {
  readonly structure: Structure;
  readonly bytes: number;
}

/** JSON of the structures that stay in the thread between tasks; as objects they take some three times as much. */
const CACHE_BYTES = 128 * 1024 * 1024;
/** How many times larger the JSON of a structure is than the structure packed. */
const JSON_RATIO = 10;
const EMPTY: Structure = { symbols: [], complete: true };

/** What a graph thread does: the exports of its module. */
export interface GraphTasks {
  readonly parseTexts: (task: ParseTask) => Promise<ParsedTexts>;
  /** Until the next `resolve`, nothing is evicted. */
  readonly addStructures: (structures: ReadonlyMap<string, Uint8Array | ArrayBuffer>) => void;
  readonly resolve: (task: ResolveTask) => Resolved;
}

/** Structures of the last tasks stay in the memory of the thread. */
export function createGraphTasks(resolveProject: ResolveProject): GraphTasks {
  /** By hash, the least recently used first. */
  const cache = new Map<string, CachedStructure>();
  let bytes = 0;

  function keep(hash: string, entry: CachedStructure): void {
    bytes += entry.bytes - (cache.get(hash)?.bytes ?? 0);
    cache.delete(hash);
    cache.set(hash, entry);
  }

  function trim(): void {
    for (const [hash, entry] of cache) {
      if (bytes <= CACHE_BYTES) return;
      cache.delete(hash);
      bytes -= entry.bytes;
    }
  }

  function structureOf(hash: string): Structure {
    const entry = cache.get(hash);
    if (!entry) throw new Error('a structure is missing');
    keep(hash, entry);
    return entry.structure;
  }

  return {
    async parseTexts({ texts, limits }) {
      const structures = new Map<string, Uint8Array>();
      const skipped = new Map<string, 'too_large' | 'too_slow'>();
      let parsed = 0;
      let spent = false;
      for (const { hash, path, language, text } of texts) {
        const result = await parseInThread({ path, language, text, code: true }, limits);
        ({ spent } = result);
        parsed++;
        const { symbols, code, complete } = result.structure;
        const isSource = code !== undefined || symbols.some(({ kind }) => kind !== 'heading');
        if (isSource) {
          const structure: Structure = { symbols, ...(code && { code }), complete };
          const json = JSON.stringify(structure);
          structures.set(hash, packJson(json));
          keep(hash, { structure, bytes: json.length });
        } else if (!complete) skipped.set(hash, spent ? 'too_slow' : 'too_large');
        if (spent) break;
      }
      trim();
      return { parsed, structures, skipped, spent };
    },

    addStructures(structures) {
      for (const [hash, packed] of structures) {
        const structure = unpackJson<Structure>(packed);
        keep(hash, { structure, bytes: packed.byteLength * JSON_RATIO });
      }
    },

    resolve({ files, manifests }) {
      const missing = files.flatMap(({ structure }) =>
        structure !== null && !cache.has(structure) ? [structure] : [],
      );
      if (missing.length > 0) return { missing };
      const sources = files.map(({ path, language, structure, note }): SourceFile => {
        const { symbols, code, complete } = structure === null ? EMPTY : structureOf(structure);
        return { path, language, symbols, ...(code && { code }), complete: complete && note === null };
      });
      const stored = new Map(files.map((file) => [file.path, file]));
      const parts = new Map<string, { hash: string; part: Uint8Array }>();
      for (const graph of resolveProject(sources, manifests)) {
        const { note = null, partHash = null } = stored.get(graph.path) ?? {};
        const { hash, pack } = storedPart(note === null ? graph : { ...graph, note });
        if (hash !== partHash) parts.set(graph.path, { hash, part: pack() });
      }
      trim();
      return { parts };
    },
  };
}
