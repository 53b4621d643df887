import { Empty } from './states.js';

/** In the place of a page past the last one: a list that is not empty had more rows, or the address is old. */
export function NothingLeft({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <Empty title="Nothing is left on this page">
      <button type="button" className="button" onClick={onFirst}>
        Show the first page
      </button>
    </Empty>
  );
}
