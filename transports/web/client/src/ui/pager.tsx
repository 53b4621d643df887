import type { MouseEvent } from 'react';
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
  return (
    <div className="card-foot pager">
      <span className="muted">{about}</span>
      {(pages > 1 || page > 1) && (
        <>
          <button
            type="button"
            className="button small"
            disabled={page <= 1}
            onClick={(event) => {
              onPage(page - 1);
              showStart(event);
            }}
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
            onClick={(event) => {
              onPage(page + 1);
              showStart(event);
            }}
          >
            Next
          </button>
        </>
      )}
    </div>
  );
}
