import { Link } from 'wouter';
import { accounts } from '../../api/deployment.js';
import type { RecentEvent } from '../../api/recent-events.js';
import { useTool } from '../../api/use-tool.js';
import { usePeople } from '../../shell/use-people.js';
import { useProjects } from '../../shell/use-projects.js';
import { Icon } from '../../ui/icon.js';
import { Time } from '../../ui/time.js';
import { describeEvent, type Sentence } from './describe-event.js';

/** An event, with those like it, in words. */
export function EventRow({ event }: { readonly event: RecentEvent }) {
  const { items: projects } = useProjects();
  const sentence = describeEvent(event, (of) => projects.find(({ id }) => id === of)?.name);
  return (
    <li>
      <span className={sentence.isBad ? 'event-icon bad' : 'event-icon'}>
        <Icon name={sentence.icon} />
      </span>
      <p className="grow">
        {sentence.record ? (
          <Remembered event={event} sentence={sentence} record={sentence.record} />
        ) : (
          <>
            <Subject {...sentence} /> {sentence.text}
          </>
        )}
      </p>
      <Time value={event.occurred_at} />
    </li>
  );
}

function Subject({ subject, href }: Pick<Sentence, 'subject' | 'href'>) {
  if (href === undefined) return <b>{subject}</b>;
  return (
    <Link className="strong" href={href}>
      {subject}
    </Link>
  );
}

/** A change of a record: who made it, where that is known, and its title. */
function Remembered({
  event,
  sentence,
  record,
}: {
  readonly event: RecentEvent;
  readonly sentence: Sentence;
  readonly record: NonNullable<Sentence['record']>;
}) {
  const { data, error } = useTool(record.tool, record.input);
  const nameOf = usePeople();
  const verb = VERBS[event.type];
  const changedBy = useChangedBy(event, record);
  const author = verb && nameOf(event.type.endsWith('.created') ? (data?.created_by ?? null) : changedBy);
  const subject = data?.title ?? sentence.subject;
  if (error?.status === 404)
    return (
      <>
        <b>{sentence.subject}</b>, deleted since, {sentence.text}
      </>
    );
  if (author === undefined)
    return (
      <>
        <Subject {...sentence} subject={subject} /> {sentence.text}
      </>
    );
  return (
    <>
      {author} {verb} <Subject {...sentence} subject={subject} />
    </>
  );
}

/** Changes whose author the record or its versions name. Of a changed memory event only the first author is stored. */
const VERBS: Readonly<Record<string, string>> = {
  'memory.event.created': 'stored',
  'memory.node.created': 'stored',
  'memory.node.updated': 'changed',
  'memory.node.superseded': 'superseded',
};
/** Later versions than that one push it off the first page: then nobody is named. */
const MAX_VERSIONS = 20;

/** Who made the change of a piece of knowledge: the author of the version that was the newest when the event happened. */
function useChangedBy(
  { type, occurred_at }: RecentEvent,
  record: NonNullable<Sentence['record']>,
): string | null {
  const isNode = record.tool === 'memory_get_node';
  const { data } = useTool(
    'memory_node_history',
    { node_id: isNode ? record.input.node_id : '', per_page: MAX_VERSIONS },
    { enabled: isNode && accounts && VERBS[type] !== undefined && !type.endsWith('.created') },
  );
  const version = data?.items.find(({ recorded_at }) => recorded_at <= occurred_at);
  return version?.recorded_by ?? null;
}
