/** Says that a form shows what was typed before, and lets one begin again. */
export function UnsavedNote({ onRestart }: { readonly onRestart: () => void }) {
  return (
    <div className="notice">
      <p className="grow">This is your text from before. It is not saved yet.</p>
      <button type="button" className="button small" onClick={onRestart}>
        Start over
      </button>
    </div>
  );
}
