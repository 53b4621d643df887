import { splitSymbol } from '../../ui/split-symbol.js';

/** A symbol where only its id is known: a function by its name, a file by its path. */
export function SymbolLink({ id, onOpen }: { readonly id: string; readonly onOpen: (id: string) => void }) {
  return (
    <button type="button" className="link mono" onClick={() => onOpen(id)}>
      {splitSymbol(id).symbol ?? id}
    </button>
  );
}
