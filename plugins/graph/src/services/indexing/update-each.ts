import type { FileOutcome } from '@service-mcp/plugin-workspaces/contract';
import { updateProject, type FileChange, type ProjectTurn, type UpdateParts } from './update-project.js';
import { ResolveFailure } from '../thread/graph-thread.js';

/** Failed resolutions of one turn. Each may take as long as the time limit of a resolution. */
const MAX_FAILURES = 16;
/** Attempts to parse and to resolve a file within the time limit. The second comes after all other files of the workspace. */
const MAX_ATTEMPTS = 2;
/** When a project that could not be resolved is tried again. */
const RETRY_MS = 10 * 60_000;
const UNRESOLVED = 'The graph could not be built with this file; it has no symbols.';
const PROJECT_FAILED =
  'The graph of the project could not be built. See the log of the service; raise graph.thread_memory_mib or graph.resolve_timeout_ms for a large project.';

export interface Updated {
  /** Of the changes that are written or tried again later. None where the lease was lost. */
  readonly outcomes: readonly FileOutcome[];
  /** Time of the last resolution, in milliseconds. */
  readonly resolveMs: number;
}

/**
 * Brings changes into the graph of a project. Where it cannot be resolved with them, those of the group at which that failed
 * come after the others, and are halved until the file at fault is alone: it is tried once more, then indexed without symbols.
 */
export async function updateEach(
  turn: ProjectTurn,
  changes: readonly FileChange[],
  parts: UpdateParts,
  signal: AbortSignal,
): Promise<Updated> {
  const outcomes: FileOutcome[] = [];
  const { projectId: project, workspaceId: workspace } = turn;
  let resolveMs = 0;
  let failures = 0;

  /** False: nothing more can be written. */
  async function update(some: readonly FileChange[]): Promise<boolean> {
    try {
      const updated = await updateProject(turn, some, parts, signal);
      if (!updated) return false;
      resolveMs = Math.max(resolveMs, updated.resolveMs);
      for (const change of some) outcomes.push(outcomeOf(change));
      const fields = { workspace, project, files: some.length, written: updated.written };
      parts.log.debug({ ...fields, resolve_ms: Math.round(updated.resolveMs) }, 'a graph is written');
      return true;
    } catch (error) {
      if (!(error instanceof ResolveFailure)) throw error;
      failures++;
      parts.log.warn({ err: error, workspace, project, files: some.length }, 'a graph could not be built');
      const [first] = some;
      const hasSymbols = typeof first?.parsed?.structure === 'string';
      if (first && some.length === 1 && failures <= MAX_FAILURES && hasSymbols) {
        if (!isLastAttempt(first)) {
          outcomes.push(failedOnce(first, UNRESOLVED));
          return true;
        }
        return update([{ ...first, parsed: { structure: null, note: UNRESOLVED, isSlow: false } }]);
      }
      if (some.length === 1 || failures > MAX_FAILURES) return wait(some);
      const isSuspect = ({ file }: FileChange): boolean => error.paths.has(file.path);
      const others = some.filter((change) => !isSuspect(change));
      if (others.length > 0 && others.length < some.length)
        return (await update(others)) && update(some.filter(isSuspect));
    }
    const middle = some.length >> 1;
    return (await update(some.slice(0, middle))) && update(some.slice(middle));
  }

  /** The project itself is at fault. */
  function wait(some: readonly FileChange[]): true {
    for (const { file } of some) {
      const { id, revision } = file;
      outcomes.push({ id, revision, status: 'failed', error: PROJECT_FAILED, retryAfterMs: RETRY_MS });
    }
    return true;
  }

  await update(changes);
  return { outcomes, resolveMs };
}

/** Of a change that is in the graph. Its file is parsed once more when that took too long. */
function outcomeOf(change: FileChange): FileOutcome {
  const { file, parsed } = change;
  return parsed?.isSlow && !isLastAttempt(change)
    ? failedOnce(change, parsed.note ?? '')
    : { id: file.id, revision: file.revision, status: 'indexed' };
}

/** Not at the first one: the machine may have been busy, and an index does not try again what is settled. */
function isLastAttempt({ file }: FileChange): boolean {
  return file.attempts >= MAX_ATTEMPTS;
}

function failedOnce({ file: { id, revision } }: FileChange, error: string): FileOutcome {
  return { id, revision, status: 'failed', error };
}
