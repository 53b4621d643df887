/** A path whose last name stands out. */
export function PathName({ path }: { readonly path: string }) {
  const at = path.lastIndexOf('/') + 1;
  return (
    <span className="path grow" title={path}>
      {path.slice(0, at)}
      <b>{path.slice(at)}</b>
    </span>
  );
}
