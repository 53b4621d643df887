/** The end of a form that changes how knowledge stands. */
export function StepButtons({
  label,
  disabled,
  onCancel,
}: {
  readonly label: string;
  readonly disabled: boolean;
  readonly onCancel: () => void;
}) {
  return (
    <div className="dialog-foot">
      <button type="button" className="button small" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" className="button small primary" disabled={disabled}>
        {label}
      </button>
    </div>
  );
}
