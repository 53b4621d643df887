import { createContext, useContext, useRef, type ReactNode } from 'react';
import { isPassing } from '../../api/failure.js';
import { useAction } from '../../api/use-tool.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Icon } from '../../ui/icon.js';
import { Message } from '../../ui/message.js';
import { Failed } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useKeptFocus } from '../../ui/use-kept-focus.js';
import { useLastNote } from './last-note.js';

/** What was just done, and the change that undoes it. */
export interface Note {
  readonly text: string;
  /** Of memory_undo. */
  readonly changeId?: string;
  /** Whether Clean-up has more to do. */
  readonly isForCleanUp?: boolean;
}

const UNDONE = 'Undone: everything is as it was before.';
const UNDONE_BESIDE =
  'Undone: the merged records are back. The one that was kept was changed or deleted since, and stays as it is.';

const Context = createContext<(note: Note | undefined) => void>(() => undefined);
/** Says above the page what was done. */
export const useNote = () => useContext(Context);

/** Keeps the last note above the page, with its undo. What became of an undo does not replace a later note. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const { workspace } = useWorkspace();
  const [note, setNote] = useLastNote(workspace.id);
  const box = useRef<HTMLDivElement>(null);
  const focus = useKeptFocus(box, '.notice');
  return (
    <Context value={setNote}>
      <div role="status" className="last-note" ref={box} tabIndex={-1} {...focus}>
        {note && (
          <Notice
            key={note.changeId ?? note.text}
            {...note}
            onDone={(next) => {
              setNote(next, note);
            }}
          />
        )}
      </div>
      {children}
    </Context>
  );
}

function Notice({
  text,
  changeId,
  isForCleanUp,
  onDone,
}: Note & { readonly onDone: (note: Note | undefined) => void }) {
  const undo = useAction('memory_undo');
  const [, set] = useAddress();
  const onUndo = () => {
    if (changeId === undefined) return;
    undo.run({ change_id: changeId }, ({ left }) =>
      onDone({ text: left.length === 0 ? UNDONE : UNDONE_BESIDE }),
    );
  };
  const cleanUp = () => {
    set({ tab: 'clean-up', page: '', event: '', node: '', form: '' }, 'push');
    onDone(undefined);
  };
  const isFinal = undo.error && undo.error.status !== 401 && !isPassing(undo.error);
  return (
    <>
      {undo.error && !isFinal && <Failed error={undo.error} />}
      <div className={`notice inline ${isFinal ? 'bad' : 'good'}`}>
        <Icon name={isFinal ? 'alert' : 'check'} />
        <p className="grow">
          {text}
          {isFinal && (
            <strong role="alert">
              {' '}
              This cannot be undone: <Message text={undo.error.message} />
            </strong>
          )}
        </p>
        {changeId !== undefined && !isFinal && (
          <button type="button" className="button small" disabled={undo.isPending} onClick={onUndo}>
            Undo
          </button>
        )}
        {isForCleanUp && (
          <button type="button" className="button small" onClick={cleanUp}>
            Go to Clean-up
          </button>
        )}
        <button
          type="button"
          className="button quiet small icon-only"
          aria-label="Dismiss"
          onClick={() => onDone(undefined)}
        >
          <Icon name="close" />
        </button>
      </div>
    </>
  );
}
