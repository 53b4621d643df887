import { useRef } from 'react';
import type { Output } from '../../api/call.js';
import { useAction, useTool } from '../../api/use-tool.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { counted } from '../../ui/format.js';
import { NothingLeft } from '../../ui/nothing-left.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Failed, Loaded, Skeleton } from '../../ui/states.js';
import { useAddress } from '../../ui/use-address.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import { Compare } from './compare.js';
import { useNote } from './notice.js';
import { SingleFinding } from './single-finding.js';

export type Finding = Output<'memory_hygiene'>['items'][number];

const PAGE_SIZE = 10;
/** In the order of the report. */
const SECTIONS: readonly {
  readonly kind: Finding['kind'];
  readonly title: string;
  readonly about: string;
}[] = [
  {
    kind: 'duplicate',
    title: 'They say the same',
    about:
      'Choose the one that stays. It gains the tags, code and other fields that only the others have; the others are deleted.',
  },
  {
    kind: 'contradiction',
    title: 'They contradict each other',
    about: 'All of them count as true now. Open the one that no longer holds, to supersede it or correct it.',
  },
  { kind: 'junk', title: 'They say nothing', about: 'Delete them, or open one to say more.' },
  {
    kind: 'stale',
    title: 'They may no longer hold',
    about: 'Open one to say what holds now, or delete it.',
  },
];

/** What in memory deserves a look: duplicates to merge, contradictions, junk and what may no longer hold. */
export function CleanUp() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const page = Number(get('page')) || 1;
  const list = useRef<HTMLDivElement>(null);
  useListKeys(list, '.finding.lead .record-actions > .button:first-child');
  const report = useTool(
    'memory_hygiene',
    { workspace_id: workspace.id, page, per_page: PAGE_SIZE },
    { keep: true, isUnfinished: ({ unchecked }) => unchecked > 0 },
  );
  return (
    <div ref={list}>
      <Loaded query={report}>
        {({ items, total, unchecked }) => (
          <>
            {unchecked > 0 && (
              <p className="notice inline">
                {counted(unchecked, 'record')} changed just now, and will be checked in a moment.
              </p>
            )}
            {items.length === 0 && (
              <div className="card">
                {total === 0 ? (
                  <Empty title="Memory is in order">
                    <p>
                      No duplicates, contradictions, junk or outdated knowledge. What is stored is checked as
                      it comes.
                    </p>
                  </Empty>
                ) : (
                  <NothingLeft onFirst={() => set({ page: '' })} />
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
    void remove.mutateAsync({ workspace_id: workspace.id, ids }).then(
      ({ change_id, deleted }) =>
        note({ text: `Deleted ${counted(deleted, 'record')}.`, changeId: change_id }),
      () => undefined, // `remove.error` has it
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
