import { ThreadFailure, type Log } from '@service-mcp/core';
import type { ParseLimits } from '@service-mcp/plugin-syntax/contract';
import type { QueuedFile } from '@service-mcp/plugin-workspaces/contract';
import { structureHash, type StructureStore } from '../store/structures.js';
import type { SkipReason, TextToParse } from '../thread/graph-tasks.js';
import type { GraphThread } from '../thread/graph-thread.js';

/** The result of parsing a text. A text that is not source code has neither structure nor note. */
export interface ParsedFile {
  /** Hash of the stored structure. */
  readonly structure: string | null;
  /** Why there is no structure. */
  readonly note: string | null;
  /** Parsing took too long: a later attempt may succeed. */
  readonly isSlow: boolean;
}

export interface ParseParts {
  readonly structures: StructureStore;
  readonly thread: GraphThread;
  readonly limits: ParseLimits;
  readonly log: Log;
}

const CRASHED = 'The parser crashed on this file; it has no symbols.';

/**
 * Parses files of one workspace, unless their structures are stored, and stores the structures. A text on which the thread
 * ends is tried once more alone, so that it fails alone. Returns results by file id.
 */
export async function parseFiles(
  workspaceId: string,
  files: readonly QueuedFile[],
  { structures, thread, limits, log }: ParseParts,
  signal: AbortSignal,
): Promise<Map<string, ParsedFile>> {
  const texts = new Map(files.map((file) => [file.id, { ...file, hash: structureHash(file) }]));
  const projectIds = new Set(files.map(({ projectId }) => projectId));
  const hashes = new Set([...texts.values()].map(({ hash }) => hash));
  const stored = new Set(await structures.existing(workspaceId, [...hashes]));
  const notes = new Map<string, string>();
  const slow = new Set<string>();

  async function parse(batch: readonly TextToParse[]): Promise<void> {
    for (let at = 0; at < batch.length;) {
      const rest = batch.slice(at);
      try {
        const result = await thread.parse({ texts: rest, limits }, signal);
        if (await structures.insert(workspaceId, projectIds, result.structures))
          for (const hash of result.structures.keys()) stored.add(hash);
        for (const [hash, reason] of result.skipped) {
          notes.set(hash, noteOf(reason, limits));
          if (reason === 'too_slow') slow.add(hash);
        }
        at += result.parsed;
      } catch (error) {
        if (!(error instanceof ThreadFailure)) throw error;
        const [first] = rest;
        if (rest.length > 1) for (const text of rest) await parse([text]);
        else if (first) {
          log.warn({ err: error, workspace: workspaceId, path: first.path }, 'a file ended the parser');
          notes.set(first.hash, CRASHED);
        }
        return;
      }
    }
  }

  const unknown = new Map<string, TextToParse>();
  for (const { hash, path, language, text } of texts.values())
    if (!stored.has(hash)) unknown.set(hash, { hash, path, language, text });
  await parse([...unknown.values()]);
  return new Map(
    [...texts].map(([id, { hash }]) => [
      id,
      { structure: stored.has(hash) ? hash : null, note: notes.get(hash) ?? null, isSlow: slow.has(hash) },
    ]),
  );
}

function noteOf(reason: SkipReason, { maxBytes, timeLimitMs }: ParseLimits): string {
  const reasons: Readonly<Record<SkipReason, string>> = {
    too_large: `The file is larger than ${String(maxBytes)} bytes (graph.max_bytes); it has no symbols.`,
    too_slow: `Parsing took longer than ${String(timeLimitMs)} ms (graph.parse_timeout_ms); the file has no symbols.`,
    too_complex:
      'The file is too complex: it takes more steps to parse than code of its length; it has no symbols.',
  };
  return reasons[reason];
}
