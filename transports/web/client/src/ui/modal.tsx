import { useEffect, useRef, type ReactNode } from 'react';
import { Failure } from '../api/failure.js';
import { useSessionEnd } from '../api/session-end.js';
import { Failed } from './states.js';

const SESSION_END = new Failure(401, {});

/**
 * A dialog over the page. Esc closes it, and a click beside it unless it has a form; whoever mounts it takes it away in
 * `onClose`. The focus goes back to where it was. A session that ends meanwhile is told in it.
 */
export function Modal({
  label,
  className,
  isForm = false,
  isBusy = false,
  onClose,
  children,
}: {
  readonly label: string;
  readonly className: string;
  /** True: a click beside it would lose what was typed. */
  readonly isForm?: boolean;
  /** True: nothing closes it yet. */
  readonly isBusy?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hasEnded = useSessionEnd();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      // A browser does it for a dialog that is closed, not for one that is taken away.
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, []);
  return (
    <dialog
      className={className}
      ref={dialog}
      onClose={onClose}
      closedby={isBusy ? 'none' : isForm ? 'closerequest' : 'any'}
      aria-label={label}
    >
      {hasEnded && <Failed error={SESSION_END} />}
      {children}
    </dialog>
  );
}
