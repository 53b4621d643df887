import type { ReactNode } from 'react';
import type { Failure } from '../api/failure.js';
import { Modal } from './modal.js';
import { Failed } from './states.js';

/** Asks before something that cannot be undone. It stays open while the call runs, and where it fails: that is told in it. */
export function Confirm({
  title,
  label,
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** Of the button that does it: the verb and what it is done to. */
  readonly label: string;
  readonly isPending: boolean;
  readonly error: Failure | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What is lost. */
  readonly children: ReactNode;
}) {
  return (
    <Modal className="dialog" label={title} isBusy={isPending} onClose={onClose}>
      <h2>{title}</h2>
      {children}
      {error && <Failed error={error} />}
      <div className="dialog-foot">
        <button type="button" className="button" disabled={isPending} onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button danger" disabled={isPending} onClick={onConfirm}>
          {label}
        </button>
      </div>
    </Modal>
  );
}
