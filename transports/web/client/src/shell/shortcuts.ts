import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { usePages } from './use-pages.js';

const SEQUENCE_MS = 1_500;

/**
 * Ctrl K opens the palette, `/` the search page, or its field where it is open, `g` and a letter a page. Letters typed
 * into a field stay letters, and do nothing in a dialog.
 */
export function useShortcuts(openPalette: () => void): void {
  const [location, go] = useLocation();
  const pages = usePages();
  useEffect(() => {
    let lastG = -Infinity;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, timeStamp } = event;
      if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      const isTyping =
        target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
      const isBehind = document.querySelector('dialog[open]') !== null; // another page would close it, with its form
      if (isTyping || isBehind || event.ctrlKey || event.metaKey || event.altKey) return;
      const isSequence = timeStamp - lastG < SEQUENCE_MS;
      lastG = key === 'g' ? timeStamp : -Infinity;
      const page = pages.find((each) =>
        isSequence ? each.key === key : key === '/' && each.path === '/search',
      );
      if (!page) return;
      event.preventDefault();
      const field =
        key === '/' && location === page.path
          ? document.querySelector<HTMLInputElement>('main [role="search"] input')
          : null;
      if (field) field.select();
      else go(page.path);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [location, go, openPalette, pages]);
}
