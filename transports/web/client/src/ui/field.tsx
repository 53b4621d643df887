import { useId, type ReactNode } from 'react';

/** What a field of a form is given, so that its message belongs to it. */
export interface FieldState {
  readonly id: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** A labelled field; below it what is wrong with it, or else a hint. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly children: (state: FieldState) => ReactNode;
}) {
  const id = useId();
  const note = error ?? hint;
  const noteId = note === undefined ? undefined : `${id}-note`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': noteId })}
      {note !== undefined && (
        <p id={noteId} className={error === undefined ? 'field-note muted' : 'field-error'}>
          {note}
        </p>
      )}
    </div>
  );
}
