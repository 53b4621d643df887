import { useEffect, type RefObject } from 'react';
import { openerOf } from './panel-focus.js';

/** `j` and `k` move the focus through a list; `selector` finds the element of each row that takes it. */
export function useListKeys(list: RefObject<HTMLElement | null>, selector: string): void {
  useEffect(() => {
    const onKeyDown = ({ key, target, ctrlKey, metaKey }: KeyboardEvent) => {
      const step = { j: 1, k: -1 }[key];
      const isTyping = target instanceof Element && target.matches('input, textarea, select');
      if (step === undefined || isTyping || ctrlKey || metaKey) return;
      const heads = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
      // Inside a row, such as in its code, its neighbour is the next one.
      const from = openerOf(document.activeElement);
      const at = heads.findIndex((head) => head.closest('li')?.contains(from));
      heads[Math.max(0, Math.min(heads.length - 1, at + step))]?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [list, selector]);
}
