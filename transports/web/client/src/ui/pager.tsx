import { useEffect, useRef, type MouseEvent } from 'react';
import { useAnnounced } from './announce.js';
import { count } from './format.js';

/** Shows a list from its start, where it begins above the window: the next page is read from there. */
function showStart({ currentTarget }: MouseEvent): void {
  const list = currentTarget.closest('[role=tabpanel], .card');
  if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
}

/** The foot of a list: what it holds in all, and a way to the pages before and after. Pages count from 1. */
export function Pager({
  page,
  pages,
  about,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  /** How much there is in all, such as `12 files`. */
  readonly about: string;
  readonly onPage: (page: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const asked = useRef<number>(undefined);
  const turn = (event: MouseEvent, next: number) => {
    asked.current = next;
    onPage(next);
    showStart(event);
  };
  useEffect(() => {
    if (asked.current !== page) return;
    asked.current = undefined;
    // The button to the last page is disabled there, and would lose the focus.
    if (document.activeElement?.matches('body, :disabled') === true)
      box.current?.querySelector<HTMLElement>('button:enabled')?.focus({ preventScroll: true });
  }, [page]);
  const isPaged = pages > 1 || page > 1;
  useAnnounced(isPaged ? `${about}, page ${count(page)} of ${count(pages)}` : about);
  return (
    <div className="card-foot pager" ref={box}>
      <span className="muted">{about}</span>
      {isPaged && (
        <>
          <button
            type="button"
            className="button small"
            disabled={page <= 1}
            onClick={(event) => turn(event, page - 1)}
          >
            Previous
          </button>
          <span className="muted">
            {count(page)} of {count(pages)}
          </span>
          <button
            type="button"
            className="button small"
            disabled={page >= pages}
            onClick={(event) => turn(event, page + 1)}
          >
            Next
          </button>
        </>
      )}
    </div>
  );
}
