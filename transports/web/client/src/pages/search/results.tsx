import { useEffect, useRef, type RefObject } from 'react';
import { Link } from 'wouter';
import type { Output } from '../../api/call.js';
import { useProjects } from '../../shell/use-projects.js';
import { useAnnounced } from '../../ui/announce.js';
import { Code } from '../../ui/code.js';
import { count, words } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { IngestCommand } from '../../ui/ingest-command.js';
import { PathName } from '../../ui/path-name.js';
import { Empty } from '../../ui/states.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import type { Mode } from './modes.js';
import { Notices } from './notices.js';
import { Why } from './why.js';

type Found = Output<'search_hybrid'>;
export type Result = Found['results'][number];

export function Results({
  data,
  mode,
  list,
  isOpened,
  onOpen,
  onMore,
}: {
  readonly data: Found;
  readonly mode: Mode;
  readonly list: RefObject<HTMLOListElement | null>;
  /** Whether the file is open at this result. */
  readonly isOpened: (result: Result) => boolean;
  readonly onOpen: (result: Result) => void;
  readonly onMore?: () => void;
}) {
  useListKeys(list, '.result-head');
  const { results, total, total_is_lower_bound, took_ms, index, has_more } = data;
  const shown = useRef<number>(undefined); // when more were asked for
  const more = () => {
    shown.current = results.length;
    onMore?.();
  };
  useEffect(() => {
    if (shown.current === undefined || results.length <= shown.current) return;
    // The button for more is gone where these are the last.
    const first = list.current?.children[shown.current]?.querySelector<HTMLElement>('.result-head');
    shown.current = undefined;
    if (document.activeElement === document.body) first?.focus();
  }, [results.length, list]);
  const best = Math.max(...results.map(({ score }) => score));
  const found = `${count(total)}${total_is_lower_bound ? '+' : ''} found`;
  useAnnounced(results.length > 0 ? found : '');
  return (
    <>
      <p className="found muted">
        {found} in {count(Math.round(took_ms))} ms
      </p>
      <Notices {...data} mode={mode} />
      {results.length === 0 && <NothingFound state={index.state} />}
      <ol className="result-list" ref={list}>
        {results.map((result) => (
          <li key={result.id} className={isOpened(result) ? 'card opened' : 'card'}>
            <Head result={result} isOpened={isOpened(result)} onOpen={onOpen} />
            <Code
              text={result.content}
              language={result.language}
              firstLine={result.start_line}
              marks={result.highlights}
              shown={result.highlights[0]?.line}
              label={`${result.path}, line ${result.start_line}`}
            />
            <Why result={result} best={best} />
          </li>
        ))}
      </ol>
      {onMore ? (
        <button type="button" className="button more" onClick={more}>
          Show more
        </button>
      ) : (
        has_more && (
          <p className="muted more">These are the best {results.length}. Narrow the search for others.</p>
        )
      )}
    </>
  );
}

/** A result in the address: its lines, and where its first match begins, as one line may have many results. */
export function placeOf({ path, project_id, start_line, end_line, highlights: [first] }: Result) {
  const column = first?.line === start_line ? String(first.column) : '';
  return { file: path, in: project_id ?? '', from: String(start_line), to: String(end_line), column };
}

/** What leads from a result to its file or to its record in memory; of a record of another plugin, its title and kind. */
function Head({
  result,
  isOpened,
  onOpen,
}: {
  readonly result: Result;
  readonly isOpened: boolean;
  readonly onOpen: (result: Result) => void;
}) {
  const { kind, path, title, symbol, project_id, start_line, end_line } = result;
  const { items: projects, nameOf } = useProjects();
  if (kind === 'event' || kind === 'node') {
    // A record has no path: the service puts its kind and id there.
    const id = path.slice(path.indexOf('/') + 1);
    return (
      <Link className="result-head" href={`/memory?${new URLSearchParams({ [kind]: id }).toString()}`}>
        <Icon name="memory" />
        <span className="grow strong">{title}</span>
        <span className="badge">{kind === 'event' ? 'Event' : 'Knowledge'}</span>
      </Link>
    );
  }
  if (kind !== 'code' && kind !== 'doc')
    return (
      <div className="result-head" tabIndex={-1}>
        <span className="grow">
          <span className="strong">{title === '' ? path : title}</span>{' '}
          {title !== '' && title !== path && <span className="muted mono">{path}</span>}
        </span>
        <span className="badge">{words(kind)}</span>
      </div>
    );
  return (
    <button
      type="button"
      className="result-head"
      aria-current={isOpened ? 'true' : undefined}
      onClick={() => onOpen(result)}
    >
      <PathName path={path} />
      {symbol !== undefined && <span className="badge accent mono">{symbol}</span>}
      {projects.length > 1 && project_id !== null && <span className="badge">{nameOf(project_id)}</span>}
      <span className="muted time">
        {start_line}
        {end_line > start_line && `–${end_line}`}
      </span>
    </button>
  );
}

function NothingFound({ state }: { readonly state: Found['index']['state'] }) {
  if (state === 'not_indexed' || state === 'empty')
    return (
      <Empty title="Nothing is indexed in this workspace yet">
        <IngestCommand />
      </Empty>
    );
  return (
    <Empty title="Nothing matches">
      <p>
        Leave out a filter, use fewer words, or try another mode: Meaning finds what other words describe.
      </p>
    </Empty>
  );
}

/** Moves the focus to the first result. */
export function focusFirst(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('.result-head')?.focus();
}
