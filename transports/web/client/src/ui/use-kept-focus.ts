import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

const TARGETS = 'button, a[href], input';

/**
 * Keeps the focus in a list whose row goes away with it: the row that takes the place gets it, or the last one, or `box`
 * where none is left. Browsers would give it to the page, from whose top the keyboard would begin again.
 * `targets`: what takes it in a row.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, row: string, targets = TARGETS) {
  const place = useRef<number>(undefined);
  useEffect(() => {
    const keep = () => {
      if (place.current === undefined || document.activeElement !== document.body) return;
      const all = [...(box.current?.querySelectorAll(row) ?? [])];
      const next = all[Math.min(place.current, all.length - 1)];
      if (next?.querySelector('.skeleton')) return; // it waits for its call
      (next?.querySelector<HTMLElement>(targets) ?? box.current)?.focus();
    };
    keep();
    // Rows go away by calls, by events and by other pages, also where a part inside is drawn alone.
    const rows = new MutationObserver(keep);
    if (box.current) rows.observe(box.current, { childList: true, subtree: true });
    return () => rows.disconnect();
  });
  return {
    onFocus: ({ target }: FocusEvent) => {
      const all = [...(box.current?.querySelectorAll(row) ?? [])];
      const at = all.findIndex((each) => each.contains(target));
      place.current = at === -1 ? undefined : at;
    },
    onBlur: ({ target }: FocusEvent) => {
      // A button that waits for its call loses the focus, and one whose dialog opens, which may delete the row.
      if (!target.matches(':disabled') && !document.querySelector('dialog[open]')) place.current = undefined;
    },
  };
}
