import { useCallback, useState } from 'react';
import { readStoredValue, writeStored } from '../../api/browser-storage.js';
import type { Note } from './notice.js';

/** So long memory_undo takes a change back. */
const UNDO_TTL_MS = 30 * 24 * 60 * 60 * 1000;

interface StoredNote extends Note {
  readonly at: number;
}

/**
 * The last note of a workspace, and how to replace it: where `replaced` is given, only while that one is shown. One that
 * can be undone is kept for this tab: a reload or another page does not lose it.
 */
export function useLastNote(
  workspaceId: string,
): readonly [Note | undefined, (note: Note | undefined, replaced?: Note) => void] {
  const [last, setLast] = useState(() => ({ workspaceId, note: readNote(workspaceId) }));
  const setNote = useCallback(
    (note: Note | undefined, replaced?: Note) => {
      const kept = readNote(workspaceId)?.changeId;
      // Not by the state below: the page may have been left by now, and another one may have kept a later note.
      if (replaced === undefined || kept === undefined || kept === replaced.changeId)
        writeNote(workspaceId, note);
      setLast((shown) => (replaced !== undefined && shown.note !== replaced ? shown : { workspaceId, note }));
    },
    [workspaceId],
  );
  if (last.workspaceId === workspaceId) return [last.note, setNote];
  const note = readNote(workspaceId);
  setLast({ workspaceId, note });
  return [note, setNote];
}

const keyOf = (workspaceId: string) => `memory-note:${workspaceId}`;

function readNote(workspaceId: string): Note | undefined {
  const note = readStoredValue<StoredNote>('sessionStorage', keyOf(workspaceId));
  return note && note.at > Date.now() - UNDO_TTL_MS ? note : undefined;
}

/** A browser without storage keeps the note until the page is left. */
function writeNote(workspaceId: string, note: Note | undefined): void {
  const kept = note?.changeId !== undefined && ({ ...note, at: Date.now() } satisfies StoredNote);
  writeStored('sessionStorage', keyOf(workspaceId), kept ? JSON.stringify(kept) : undefined);
}
