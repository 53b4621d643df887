import { words } from '../../ui/format.js';
import { TextDiff } from '../../ui/text-diff.js';

const LABELS: Readonly<Record<string, string>> = {
  event_type: 'Type',
  node_type: 'Type',
  title: 'Title',
  content: 'Content',
  importance: 'Importance',
  status: 'Status',
  confidence: 'Confidence',
  tags: 'Tags',
  occurred_at: 'Happened',
  valid_from: 'True since',
  valid_to: 'True until',
  superseded_by: 'Superseded by',
  supersedes: 'Supersedes',
  code_refs: 'Code',
  provenance: 'Source',
  metadata: 'Other fields',
};

/** The fields in which two states of a record differ, as text. */
export function changedFields(before: object, after: object) {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return Object.entries(LABELS).flatMap(([name, label]) => {
    const [from, to] = [textOf(name, old.get(name)), textOf(name, now.get(name))];
    return from === to ? [] : [{ name, label, before: from, after: to }];
  });
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string')
    return name.endsWith('_type') || name === 'status' || name === 'importance' ? words(value) : value;
  if (name === 'tags' && Array.isArray(value)) return value.join(', ');
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value, null, 1);
  return text === '{}' || text === '[]' ? '' : text;
}

/** What changed from one state of a record to another, field by field. */
export function FieldChanges({ before, after }: { readonly before: object; readonly after: object }) {
  return (
    <dl className="changes">
      {changedFields(before, after).map(({ name, label, before: from, after: to }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <TextDiff before={from} after={to} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
