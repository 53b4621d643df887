import { useCallback, useMemo } from 'react';
import { focusOpened } from '../../ui/panel-focus.js';
import { useAddress } from '../../ui/use-address.js';
import type { Kind } from './kinds.js';

/** The record beside the list, which the address names. */
export interface OpenRecord {
  readonly opened: { readonly kind: Kind; readonly id: string } | undefined;
  /** `form`: what to do with it at once, such as `edit`; `successor`: the node that supersedes it, for `supersede`. */
  readonly open: (kind: Kind, id: string, form?: string, successor?: string) => void;
  readonly close: () => void;
}

export function useOpenRecord(): OpenRecord {
  const [get, set] = useAddress();
  const [event, node] = [get('event'), get('node')];
  const open = useCallback(
    (kind: Kind, id: string, form = '', successor = '') =>
      set({ event: '', node: '', form, successor, [kind]: id }, 'push'),
    [set],
  );
  const close = useCallback(() => {
    focusOpened();
    set({ event: '', node: '', form: '', successor: '' });
  }, [set]);
  return useMemo(() => {
    const opened =
      event !== ''
        ? ({ kind: 'event', id: event } as const)
        : node !== ''
          ? ({ kind: 'node', id: node } as const)
          : undefined;
    return { opened, open, close };
  }, [event, node, open, close]);
}
