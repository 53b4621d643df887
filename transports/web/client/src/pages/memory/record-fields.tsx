import type { Failure } from '../../api/failure.js';
import { words } from '../../ui/format.js';
import { Field } from '../../ui/field.js';
import { importanceOf, SOURCES, type Draft } from './draft.js';
import { EVENT_TYPES, IMPORTANCE, NODE_TYPES, options, type Kind } from './kinds.js';

const SOURCE_NAMES = {
  repo: 'Repository',
  branch: 'Branch',
  commit_sha: 'Commit',
  pr_url: 'Address of the pull request',
  issue_url: 'Address of the issue',
} as const;

/** The fields of a record; those that few need are folded away. Messages of the service stand at their field. */
export function RecordFields({
  kind,
  draft,
  isStored = false,
  error,
  onChange,
}: {
  readonly kind: Kind;
  readonly draft: Draft;
  /** True: it has a time and a confidence, which it cannot lose. A new one that names none has those by default. */
  readonly isStored?: boolean;
  readonly error: Failure | null;
  readonly onChange: (changed: Partial<Draft>) => void;
}) {
  const issue = (field: string) =>
    [...(error?.issues ?? [])].find(([path]) => path === `/${field}` || path.startsWith(`/${field}/`))?.[1];
  const types = kind === 'event' ? EVENT_TYPES : NODE_TYPES;
  const known = types.includes(draft.type) ? types : [draft.type, ...types]; // events may have types of their own
  const text = (name: keyof Draft, label: string, field: string, hint?: string) => (
    <Field label={label} error={issue(field)} {...(hint !== undefined && { hint })}>
      {(state) => (
        <input {...state} value={draft[name]} onChange={({ target }) => onChange({ [name]: target.value })} />
      )}
    </Field>
  );
  const time = (name: 'when' | 'until', label: string, field: string) => (
    <Field label={label} error={issue(field)}>
      {(state) => (
        <input
          {...state}
          required={isStored && name === 'when'}
          type="datetime-local"
          value={draft[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      <div className="field-row">
        <Field label="Type" error={issue(kind === 'event' ? 'event_type' : 'node_type')}>
          {(state) => (
            <select {...state} value={draft.type} onChange={({ target }) => onChange({ type: target.value })}>
              {options(known).map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        {kind === 'event' ? (
          <Field label="Importance" error={issue('importance')}>
            {(state) => (
              <select
                {...state}
                value={draft.importance}
                onChange={({ target }) => onChange({ importance: importanceOf(target.value) })}
              >
                {IMPORTANCE.map((each) => (
                  <option key={each} value={each}>
                    {words(each)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ) : (
          <Field label="Confidence in %" error={issue('confidence')}>
            {(state) => (
              <input
                {...state}
                type="number"
                min={0}
                max={100}
                required={isStored}
                value={draft.confidence}
                onChange={({ target }) => onChange({ confidence: target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <Field label="Title" error={issue('title')} hint="One-line summary">
        {(state) => (
          <input
            {...state}
            required
            autoFocus
            maxLength={300}
            value={draft.title}
            onChange={({ target }) => onChange({ title: target.value })}
          />
        )}
      </Field>
      <Field label="Content" error={issue('content')} hint="Full text, with the reason">
        {(state) => (
          <textarea
            {...state}
            required
            rows={7}
            value={draft.content}
            onChange={({ target }) => onChange({ content: target.value })}
          />
        )}
      </Field>
      {text('tags', 'Tags', 'tags', 'Separated by commas')}
      <details
        onInvalidCapture={({ currentTarget }) => {
          currentTarget.open = true; // a field that is out of sight cannot say what is wrong with it
        }}
      >
        <summary>More: time, code{kind === 'event' ? ', source' : ''}</summary>
        <div className="record-form">
          {kind === 'event' ? (
            time('when', 'Happened', 'occurred_at')
          ) : (
            <div className="field-row">
              {time('when', 'True since', 'valid_from')}
              {time('until', 'True until', 'valid_to')}
            </div>
          )}
          <Field
            label="Code"
            error={issue('code_refs')}
            hint="One path per line, such as src/store.ts#UserStore"
          >
            {(state) => (
              <textarea
                {...state}
                rows={2}
                value={draft.code}
                onChange={({ target }) => onChange({ code: target.value })}
              />
            )}
          </Field>
          {kind === 'event' &&
            SOURCES.map((name) => (
              <div key={name}>{text(name, SOURCE_NAMES[name], `provenance/${name}`)}</div>
            ))}
        </div>
      </details>
    </>
  );
}
