import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useRecentEvents } from '../../api/recent-events.js';

/** Records that were chosen, across pages; one that is deleted leaves the selection. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Chooses all of these, or none of them. */
  readonly setAll: (ids: readonly string[], chosen: boolean) => void;
  readonly clear: () => void;
}

const DELETED: ReadonlySet<string> = new Set(['memory.event.deleted', 'memory.node.deleted']);
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
  const events = useRecentEvents();
  const heard = useRef(events[0]?.key ?? 0);
  useEffect(() => {
    const deleted = events.filter(({ key, type }) => key > heard.current && DELETED.has(type));
    heard.current = events[0]?.key ?? 0;
    if (deleted.length > 0)
      setAll(
        deleted.map(({ data }) => String(data['id'])),
        false,
      );
  }, [events, setAll]);
  const clear = useCallback(() => setIds(NONE), []);
  return useMemo(() => ({ ids, toggle, setAll, clear }), [ids, toggle, setAll, clear]);
}
