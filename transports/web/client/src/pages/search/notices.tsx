import { Link } from 'wouter';
import type { Output } from '../../api/call.js';
import { waiting } from '../../ui/format.js';
import { inWordsOfPage, type Mode } from './modes.js';

/** What keeps the results from being whole. Where nothing was ever indexed, the empty list says so. */
export function Notices({
  index,
  warnings,
  mode,
}: Pick<Output<'search_hybrid'>, 'index' | 'warnings'> & { readonly mode: Mode }) {
  if (index.state === 'not_indexed' || index.state === 'empty') return null;
  return (
    <>
      {index.pending > 0 && <p className="notice">{waiting(index.pending)}</p>}
      {warnings.map((warning) => (
        <p key={warning} className={index.state === 'degraded' ? 'notice bad' : 'notice'}>
          <span>
            {inWordsOfPage(warning, mode)}{' '}
            {index.state === 'degraded' && <Link href="/health">See Health</Link>}
          </span>
        </p>
      ))}
    </>
  );
}
