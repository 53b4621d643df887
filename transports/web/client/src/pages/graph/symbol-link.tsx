/** A symbol where only its id is known: a function by its name, a file by its path. */
export function SymbolLink({ id, onOpen }: { readonly id: string; readonly onOpen: (id: string) => void }) {
  return (
    <button type="button" className="link mono" onClick={() => onOpen(id)}>
      {id.slice(id.indexOf('#') + 1)}
    </button>
  );
}
