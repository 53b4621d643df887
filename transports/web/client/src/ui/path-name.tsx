import { Fragment } from 'react';

/** A path that breaks after its slashes, where it does not fit on a line. */
export function BrokenPath({ path }: { readonly path: string }) {
  return path.split(/(?<=\/)/).map((part, index, parts) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** A path whose last name stands out. */
export function PathName({ path }: { readonly path: string }) {
  const at = path.lastIndexOf('/') + 1;
  return (
    <span className="path grow" title={path}>
      <BrokenPath path={path.slice(0, at)} />
      <b>{path.slice(at)}</b>
    </span>
  );
}
