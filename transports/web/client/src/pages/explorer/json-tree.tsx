import { counted } from '../../ui/format.js';

/** Below this depth objects are closed at first. */
const OPEN_DEPTH = 2;
const MAX_CHILDREN = 100;

/** A value of JSON; objects and lists open and close, and a text of several lines has them. */
export function JsonTree({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}) {
  const label = name === undefined ? null : <span className="json-name">{name}</span>;
  if (typeof value === 'string' && value.includes('\n'))
    return (
      <div className="json-leaf">
        {label}
        <div className="json-string json-lines" dir="auto">
          {value}
        </div>
      </div>
    );
  if (typeof value !== 'object' || value === null)
    return (
      <div className="json-leaf">
        {label}{' '}
        <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  const entries = Object.entries(value);
  const about = Array.isArray(value) ? counted(entries.length, 'item') : counted(entries.length, 'field');
  if (entries.length === 0)
    return (
      <div className="json-leaf">
        {label} <span className="muted">{Array.isArray(value) ? '[]' : '{}'}</span>
      </div>
    );
  return (
    <details className="json-node" open={depth < OPEN_DEPTH}>
      <summary>
        {label} <span className="muted">{about}</span>
      </summary>
      {entries.slice(0, MAX_CHILDREN).map(([key, child]) => (
        <JsonTree key={key} name={key} value={child} depth={depth + 1} />
      ))}
      {entries.length > MAX_CHILDREN && (
        <p className="muted">{counted(entries.length - MAX_CHILDREN, 'more item')}: see the text.</p>
      )}
    </details>
  );
}
