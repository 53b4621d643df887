import { Link } from 'wouter';
import type { RecentEvent } from '../../api/recent-events.js';
import { useTool } from '../../api/use-tool.js';
import { usePeople } from '../../shell/use-people.js';
import { useProjects } from '../../shell/use-projects.js';
import { ago } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { describeEvent, type Sentence } from './describe-event.js';

/** Events that read as one: the newest, and how many like it came right before. */
export interface EventGroup {
  readonly event: RecentEvent;
  readonly others: number;
}

export function EventRow({ event, others }: EventGroup) {
  const { nameOf } = useProjects();
  const sentence = describeEvent(event, others, nameOf);
  return (
    <li>
      <span className={sentence.isBad ? 'event-icon bad' : 'event-icon'}>
        <Icon name={sentence.icon} />
      </span>
      <p className="grow">
        {sentence.record ? (
          <Remembered sentence={sentence} record={sentence.record} />
        ) : (
          <>
            <Subject {...sentence} /> {sentence.text}
          </>
        )}
      </p>
      <time className="muted time" dateTime={event.occurred_at} title={event.occurred_at}>
        {ago(event.occurred_at)}
      </time>
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

/** A change of a record: who stored it, and its title. */
function Remembered({
  sentence,
  record,
}: {
  readonly sentence: Sentence;
  readonly record: NonNullable<Sentence['record']>;
}) {
  const { data } = useTool(record.tool, record.input);
  const nameOf = usePeople();
  const author = data && sentence.text === 'was stored' ? nameOf(data.created_by) : undefined;
  const subject = data?.title ?? sentence.subject;
  if (author === undefined)
    return (
      <>
        <Subject {...sentence} subject={subject} /> {sentence.text}
      </>
    );
  return (
    <>
      {author} stored <Subject {...sentence} subject={subject} />
    </>
  );
}
