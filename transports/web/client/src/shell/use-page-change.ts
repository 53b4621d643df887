import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'wouter';

/**
 * Shows another page from its top, and gives it the focus unless a field of it took that: the link or palette that led
 * there is behind it. The browser itself scrolls where one goes back.
 */
export function usePageChange(main: RefObject<HTMLElement | null>): void {
  const [path] = useLocation();
  const shown = useRef(path);
  const restored = useRef('');
  useEffect(() => {
    const onPopState = () => {
      restored.current = location.href;
    };
    addEventListener('popstate', onPopState, { capture: true }); // before the page is drawn for it
    return () => removeEventListener('popstate', onPopState, { capture: true });
  }, []);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (restored.current !== location.href) window.scrollTo(0, 0);
    restored.current = '';
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [path, main]);
}
