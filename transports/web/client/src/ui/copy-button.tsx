import { useEffect, useState } from 'react';
import { Icon } from './icon.js';

const SHOWN_MS = 2_000;

/** Copies a text, and says so for two seconds. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // Over plain http to another machine browsers have no clipboard.
    const written =
      'clipboard' in navigator ? navigator.clipboard.writeText(text) : Promise.reject(new Error());
    written.then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  return (
    <button type="button" className="button quiet small" onClick={copy}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      {/* Not an output: browsers leave its text out of the name of a button. */}
      <span aria-live="polite">
        {state === 'idle' ? label : state === 'copied' ? 'Copied' : 'Select it, then Ctrl C'}
      </span>
    </button>
  );
}
