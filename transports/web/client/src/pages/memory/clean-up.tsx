import { useRef } from 'react';
import type { Output } from '../../api/call.js';
import { useAction, useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { count, counted } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Failed, Loaded, Skeleton } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useKeptFocus } from '../../ui/use-kept-focus.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import { Compare } from './compare.js';
import { useNote } from './notice.js';
import { SingleFinding } from './single-finding.js';

export type Finding = Output<'memory_hygiene'>['items'][number];

const PAGE_SIZE = 10;
/** In the order of the report. */
const SECTIONS: readonly {
  readonly kind: Finding['kind'];
  /** Where the person chooses one of the kinds. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
}[] = [
  {
    kind: 'duplicate',
    name: 'Duplicates',
    title: 'They say the same',
    about:
      'Choose the one that stays. It gains the tags, code and other fields that only the others have; the others are deleted.',
  },
  {
    kind: 'contradiction',
    name: 'Contradictions',
    title: 'They contradict each other',
    about:
      'All of these are in force. Choose the one that holds, which supersedes the other, or open one to correct it.',
  },
  {
    kind: 'junk',
    name: 'Junk',
    title: 'They say nothing',
    about: 'Delete them, or open one to add detail.',
  },
  {
    kind: 'stale',
    name: 'Outdated',
    title: 'They may no longer hold',
    about: 'Open one to say what holds now, or delete it.',
  },
];

/** What in memory deserves a look: duplicates to merge, contradictions, junk and what may no longer hold. */
export function CleanUp() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const page = Number(get('page')) || 1;
  const chosen = SECTIONS.find(({ kind }) => kind === get('finding'))?.kind;
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list, '.finding.lead .record-actions > .button:first-child');
  const focus = useKeptFocus(list, '.findings > header, .findings > ul > li');
  const report = useTool(
    'memory_hygiene',
    { workspace_id: workspace.id, page, per_page: PAGE_SIZE, ...(chosen && { kind: chosen }) },
    { keep: true, isUnfinished: ({ unchecked }) => unchecked > 0 },
  );
  return (
    <div ref={list} tabIndex={-1} {...focus}>
      <Loaded query={report}>
        {({ items, total, counts, unchecked }) => (
          <>
            <Kinds
              counts={counts}
              chosen={chosen}
              onChoose={(finding) => set({ finding: finding ?? '', page: '' })}
            />
            {unchecked > 0 && (
              <p className="notice inline">
                {counted(unchecked, 'record')} changed just now, and will be checked in a moment.
              </p>
            )}
            {items.length === 0 && (
              <div className="card">
                {total === 0 && chosen === undefined ? (
                  <Empty title="Memory is in order">
                    <p>
                      No duplicates, contradictions, junk or outdated knowledge. What is stored is checked as
                      it comes.
                    </p>
                  </Empty>
                ) : (
                  <NothingLeft onFirst={() => set({ page: '', ...(total === 0 && { finding: '' }) })} />
                )}
              </div>
            )}
            {SECTIONS.map((section) => {
              const findings = items.filter(({ kind }) => kind === section.kind);
              return findings.length > 0 && <Section key={section.kind} {...section} findings={findings} />;
            })}
            {total > 0 && (
              <>
                <Pager
                  page={page}
                  pages={Math.ceil(total / PAGE_SIZE)}
                  about={counted(total, 'finding')}
                  onPage={(next) => set({ page: String(next) })}
                />
                <p className="keys muted optional">
                  <kbd>j</kbd> <kbd>k</kbd> move from finding to finding, <kbd>Enter</kbd> presses the button
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

interface KindsProps {
  readonly counts: Readonly<Record<Finding['kind'], number>>;
  readonly chosen: Finding['kind'] | undefined;
  readonly onChoose: (kind: Finding['kind'] | undefined) => void;
}

/** Where there are several kinds of findings, or one of them was chosen. */
function Kinds({ counts, chosen, onChoose }: KindsProps) {
  const present = SECTIONS.filter(({ kind }) => counts[kind] > 0 || kind === chosen);
  if (present.length < 2 && chosen === undefined) return null;
  const all = SECTIONS.reduce((sum, { kind }) => sum + counts[kind], 0);
  return (
    <div className="search-bar first">
      <div className="segments" role="group" aria-label="Kind of finding">
        <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
          All {count(all)}
        </button>
        {present.map(({ kind, name }) => (
          <button key={kind} type="button" aria-pressed={kind === chosen} onClick={() => onChoose(kind)}>
            {name} {count(counts[kind])}
          </button>
        ))}
      </div>
    </div>
  );
}

function Section({
  kind,
  title,
  about,
  findings,
}: (typeof SECTIONS)[number] & { readonly findings: readonly Finding[] }) {
  const { workspace } = useWorkspace();
  const note = useNote();
  const mayDelete = useMayWrite()('memory_delete_many');
  const remove = useAction('memory_delete_many');
  const ids = findings.flatMap((finding) => finding.ids);
  const removeAll = () =>
    remove.run({ workspace_id: workspace.id, ids }, ({ change_id, deleted }) =>
      note({ text: `Deleted ${counted(deleted, 'record')}.`, changeId: change_id }),
    );
  return (
    <section className="card findings" aria-label={title}>
      <header className="card-head">
        <div className="grow">
          <h2>{title}</h2>
          {mayDelete && <p className="muted">{about}</p>}
        </div>
        {kind === 'junk' && mayDelete && ids.length > 1 && (
          <button
            type="button"
            className="button small danger"
            disabled={remove.isPending}
            onClick={removeAll}
          >
            Delete these {ids.length}
          </button>
        )}
      </header>
      {remove.error && <Failed error={remove.error} />}
      {remove.isPending ? (
        <Skeleton />
      ) : (
        <ul>
          {findings.map((finding) => (
            <li key={finding.ids.join()}>
              {finding.ids.length > 1 ? <Compare {...finding} /> : <SingleFinding {...finding} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
