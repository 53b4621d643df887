import { useCallback, useMemo, useState } from 'react';

/** Records that were chosen, across pages. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Chooses all of these, or none of them. */
  readonly setAll: (ids: readonly string[], chosen: boolean) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useSelection(): Selection {
  const [ids, setIds] = useState(NONE);
  const setAll = useCallback((changed: readonly string[], chosen: boolean) => {
    setIds((before) => {
      const next = new Set(before);
      for (const id of changed)
        if (chosen) next.add(id);
        else next.delete(id);
      return next;
    });
  }, []);
  const toggle = useCallback((id: string) => {
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setIds(NONE), []);
  return useMemo(() => ({ ids, toggle, setAll, clear }), [ids, toggle, setAll, clear]);
}
