import { useEffect } from 'react';

/** Runs when Esc is pressed, unless an open dialog or a field hears it. */
export function useEscape(onEscape: (() => void) | undefined): void {
  useEffect(() => {
    if (!onEscape) return undefined;
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isTyping =
        target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, select');
      if (key === 'Escape' && !isTyping && !document.querySelector('dialog')) onEscape();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onEscape]);
}
