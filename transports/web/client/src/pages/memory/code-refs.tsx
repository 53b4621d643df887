import { Link } from 'wouter';
import { Icon } from '../../ui/icon.js';
import type { MemoryRecord } from './kinds.js';

/** The code that a record is about: a file opens in Files, a symbol or a file of no project is searched for. */
export function CodeRefs({
  refs,
  projectId,
}: {
  readonly refs: MemoryRecord['code_refs'];
  readonly projectId: string | null;
}) {
  if (refs.length === 0) return null;
  return (
    <section aria-label="Code">
      <h3>Code</h3>
      <ul className="code-refs">
        {refs.map(({ path, symbol, missing }) => {
          const to =
            projectId !== null && symbol === undefined && !missing
              ? `/files?${new URLSearchParams({ project: projectId, file: path }).toString()}`
              : `/search?${new URLSearchParams({ q: symbol ?? path, mode: 'words' }).toString()}`;
          return (
            <li key={`${path}#${symbol}`}>
              <Icon name="file" />
              <Link href={to} className="mono">
                {path}
                {symbol !== undefined && <b>#{symbol}</b>}
              </Link>
              {missing && (
                <span className="badge bad" title="There was no such file when this was stored">
                  File not found
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
