import { useEffect, useRef, type ReactNode } from 'react';

/** A dialog over the page. Esc and a click beside it close it; whoever mounts it takes it away in `onClose`. */
export function Modal({
  label,
  className,
  onClose,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog className={className} ref={dialog} onClose={onClose} closedby="any" aria-label={label}>
      {children}
    </dialog>
  );
}
