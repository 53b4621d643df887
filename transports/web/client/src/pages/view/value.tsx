import type { Schema } from '../../api/tool-table.js';
import { branchOf } from '../../form/fields.js';
import { count, textOf, words } from '../../ui/format.js';
import { Time } from '../../ui/time.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A name for programs: one word with an underscore, a star or an ellipsis. */
const CODE = /^[\w.:*…-]*[_*…][\w.:*…-]*$/;
/** Columns whose addresses are links. What other columns hold is not one: a name is what somebody chose. */
const ADDRESSES = /(?:^|_)url$/;
const MAX_TAGS = 4;

/** Columns of states. A word of a state in another column is a name that somebody chose. */
const STATES = /(?:^|_)(?:outcome|state|status)$/;
/** Words of states, by what they mean to the reader. Others have no colour. */
const TONES: ReadonlyMap<string, string> = new Map([
  ['OK', 'good'],
  ['accepted', 'good'],
  ['active', 'good'],
  ['indexed', 'good'],
  ['ready', 'good'],
  ['indexing', 'busy'],
  ['pending', 'busy'],
  ['degraded', 'bad'],
  ['failed', 'bad'],
]);

/** A value, drawn by its form: a time, a name in the place of an id, a state, a list, yes or no. */
export function Shown({
  column,
  value,
  schema,
  nameOf,
}: {
  readonly column: string;
  readonly value: unknown;
  readonly schema: Schema;
  readonly nameOf: (id: string) => string | undefined;
}) {
  const { format, enum: states } = branchOf(schema);
  if (value === null || value === undefined || value === '') return <span className="muted">–</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : <span className="muted">No</span>;
  if (typeof value === 'number') return <span className="number">{count(value)}</span>;
  if (Array.isArray(value)) return <Tags all={value.map(textOf)} />;
  if (typeof value === 'object') {
    const { name, title } = value as { readonly name?: unknown; readonly title?: unknown };
    return textOf(name ?? title ?? value);
  }
  const text = textOf(value);
  if (format === 'date-time') return <Time value={text} />;
  const tone = TONES.get(text);
  if (states || (tone !== undefined && STATES.test(column)))
    return <span className={`badge ${tone ?? ''}`}>{text === 'OK' ? text : words(text)}</span>;
  if (UUID.test(text)) return nameOf(text) ?? <Id id={text} />;
  if (ADDRESSES.test(column) && /^https?:\/\//.test(text))
    return (
      <a href={text} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  return CODE.test(text) ? <code>{text}</code> : text;
}

function Id({ id }: { readonly id: string }) {
  return (
    <code title={id} aria-label={id}>
      {id.slice(0, 8)}…
    </code>
  );
}

function Tags({ all }: { readonly all: readonly string[] }) {
  if (all.length === 0) return <span className="muted">–</span>;
  const rest = all.slice(MAX_TAGS);
  return (
    <span className="tags">
      {all.slice(0, MAX_TAGS).map((each) => (
        <span key={each} className="badge">
          {each}
        </span>
      ))}
      {rest.length > 0 && (
        <span className="badge" title={rest.join(', ')}>
          and {rest.length} more
        </span>
      )}
    </span>
  );
}
