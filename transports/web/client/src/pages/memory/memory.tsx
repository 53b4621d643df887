import { useEffect, useRef, type ComponentType } from 'react';
import { Page } from '../../shell/page.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { Icon } from '../../ui/icon.js';
import { focusPanel } from '../../ui/panel-focus.js';
import { Tabs } from '../../ui/tabs.js';
import { useAddress } from '../../ui/use-address.js';
import { NotFound } from '../not-found.js';
import { CleanUp } from './clean-up.js';
import { Decisions } from './decisions.js';
import type { NodeType } from './kinds.js';
import { Notices } from './notice.js';
import { useOpenRecord } from './open-record.js';
import { RecordList } from './record-list.js';
import { RecordPanel } from './record-panel.js';
import { Remember } from './remember.js';
import { Timeline } from './timeline.js';

interface MemoryTab {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly View: ComponentType<{ readonly onRemember: () => void }>;
  /** The type of knowledge that is remembered from here. */
  readonly type?: NodeType;
}

const RECORDS: MemoryTab = {
  id: 'records',
  label: 'Everything',
  about: 'Everything that people and connected clients have stored.',
  View: RecordList,
};
const DECISIONS: MemoryTab = {
  id: 'decisions',
  label: 'Decisions',
  about: 'Decisions, their reasons, and what replaced them.',
  View: Decisions,
  type: 'decision',
};
const CLEAN_UP: MemoryTab = {
  id: 'clean-up',
  label: 'Clean-up',
  about: 'Records that need attention: duplicates, contradictions, junk.',
  View: CleanUp,
};
const TIMELINE: MemoryTab = {
  id: 'timeline',
  label: 'Timeline',
  about: 'When things happened, and when they became true.',
  View: Timeline,
};
const TABS = [RECORDS, TIMELINE, DECISIONS, CLEAN_UP];

/** What the workspace remembers, in ways to look at it; a record opens beside each of them. */
export function Memory() {
  const [get, set] = useAddress();
  const { opened } = useOpenRecord();
  const canWrite = useMayWrite()('memory_create_event');
  const tab = TABS.find(({ id }) => id === (get('tab') || RECORDS.id));
  const isNew = get('form') === 'new';
  // What is beside the list, and what is done with it: a form that is sent or cancelled takes the focus with it.
  const beside = `${opened?.id ?? ''} ${get('form')}`;
  const shown = useRef(beside);
  useEffect(() => {
    if (shown.current !== beside) focusPanel();
    shown.current = beside;
  }, [beside]);
  const remember = () => set({ event: '', node: '', form: 'new' });
  if (!tab) return <NotFound />;
  return (
    <Page
      title="Memory"
      tab={tab === RECORDS ? undefined : tab.label}
      wide
      about={tab.about}
      actions={
        canWrite && (
          <button type="button" className="button primary" onClick={remember}>
            <Icon name="plus" /> Remember something
          </button>
        )
      }
    >
      <Notices>
        <Tabs
          label="Ways to look at memory"
          tabs={TABS}
          selected={tab.id}
          onSelect={(id) => set({ tab: id === RECORDS.id ? '' : id, page: '', from: '', to: '' }, 'push')}
        >
          <div className={opened || isNew ? 'beside open' : 'beside'}>
            <div>
              <tab.View onRemember={remember} />
            </div>
            {isNew ? <Remember {...tab} /> : opened && <RecordPanel key={opened.id} {...opened} />}
          </div>
        </Tabs>
      </Notices>
    </Page>
  );
}
