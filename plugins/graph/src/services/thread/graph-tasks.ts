import type { ParseLimits } from '@service-mcp/plugin-syntax/contract';
import { parseInThread } from '@service-mcp/plugin-syntax/contract/thread';
import type { FileGraph, Manifest } from '../../model.js';
import type { FileLinks } from '../../resolve/file-links.js';
import type { ReadableFile, ResolveFollower, ResolveOptions } from '../../resolve/resolve-project.js';
import { storedPart } from '../store/file-part.js';
import type { Structure } from '../store/structures.js';
import { collectGarbage } from './collect-garbage.js';
import { ResolveProgress } from './resolve-progress.js';
import { ResolvedGroups } from './resolved-groups.js';
import { StructureCache } from './structure-cache.js';

/** Binds the names of all files of a project: see `resolve/`. Gives the graphs one by one. */
export type ResolveProject = (
  files: readonly ReadableFile[],
  manifests: readonly Manifest[],
  options: ResolveOptions,
) => Iterable<FileGraph>;

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

/** Why a text that should have a structure has none. */
export type SkipReason = 'too_large' | 'too_slow' | 'too_complex';

/** Structures of the first `parsed` texts: of all, unless the thread is spent. */
export interface ParsedTexts {
  readonly parsed: number;
  /** By hash. A text of another language than source code has none. */
  readonly structures: ReadonlyMap<string, Uint8Array>;
  /** Hashes of texts that should have a structure, and have none. */
  readonly skipped: ReadonlyMap<string, SkipReason>;
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
  /** See {@link ResolveProgress}. */
  readonly progress: Int32Array;
}

/** The parts that differ from the stored ones, by path; or the structures that the thread lacks. */
export type Resolved =
  | { readonly parts: ReadonlyMap<string, { readonly hash: string; readonly part: Uint8Array }> }
  | { readonly missing: readonly string[] };

/** What a graph thread does: the exports of its module. */
export interface GraphTasks {
  readonly parseTexts: (task: ParseTask) => Promise<ParsedTexts>;
  readonly addStructures: (structures: ReadonlyMap<string, Uint8Array | ArrayBuffer>) => void;
  readonly resolve: (task: ResolveTask) => Resolved;
}

const EMPTY: Structure = { symbols: [], complete: true };

/** The structures of recent tasks stay in the memory of the thread. */
export function createGraphTasks(resolveProject: ResolveProject): GraphTasks {
  const cache = new StructureCache();

  const links = new Map<string, FileLinks>();
  const groups = new ResolvedGroups();

  const readable = ({ path, language, structure, note }: FileToResolve): ReadableFile => ({
    path,
    language,
    bytes: structure === null ? 0 : cache.bytes(structure),
    hash: structure ?? '',
    version: JSON.stringify([structure, language, note]),
    read() {
      const { symbols, code, complete } = structure === null ? EMPTY : cache.read(structure);
      return { path, language, symbols, ...(code && { code }), complete: complete && note === null };
    },
  });

  return {
    async parseTexts({ texts, limits }) {
      const structures = new Map<string, Uint8Array>();
      const skipped = new Map<string, SkipReason>();
      let parsed = 0;
      let spent = false;
      for (const { hash, path, language, text } of texts) {
        const result = await parseInThread({ path, language, text, code: true }, limits);
        ({ spent } = result);
        parsed++;
        const { symbols, code, complete } = result.structure;
        if (result.expired) skipped.set(hash, 'too_slow');
        else if (result.complex) skipped.set(hash, 'too_complex');
        else if (code) structures.set(hash, cache.add(hash, { symbols, code, complete }));
        else if (!complete) skipped.set(hash, 'too_large');
        if (spent) break;
      }
      cache.trim();
      return { parsed, structures, skipped, spent };
    },

    addStructures(structures) {
      for (const [hash, packed] of structures) cache.addPacked(hash, packed);
    },

    resolve({ files, manifests, progress: shared }) {
      const needed = files.flatMap(({ structure }) => structure ?? []);
      const missing = needed.filter((hash) => !cache.has(hash));
      if (missing.length > 0) return { missing };
      cache.prefer(new Set(needed));
      const stored = new Map(files.map((file) => [file.path, file]));
      const parts = new Map<string, { hash: string; part: Uint8Array }>();
      const hashes = new Map<string, string>();
      const progress = new ResolveProgress(shared);
      const indexes = new Map(files.map(({ path }, index) => [path, index]));
      const follower: ResolveFollower = {
        skips(group, idOf) {
          if (groups.isStored(group, idOf, (path) => stored.get(path)?.partHash)) return true;
          progress.begin(group.paths.flatMap((path) => indexes.get(path) ?? []));
          return false;
        },
        resolved: (group, names) => groups.add(group, names, hashes),
      };
      for (const graph of resolveProject(files.map(readable), manifests, { links, follower })) {
        const { note = null, partHash = null } = stored.get(graph.path) ?? {};
        const { hash, pack } = storedPart(note === null ? graph : { ...graph, note });
        hashes.set(graph.path, hash);
        if (hash !== partHash) parts.set(graph.path, { hash, part: pack() });
      }
      cache.trim();
      for (const hash of links.keys()) if (!cache.has(hash)) links.delete(hash);
      collectGarbage();
      return { parts };
    },
  };
}
