import { useMemo, useRef, useState, type FormEvent } from 'react';
import type { DescribedTool } from '../../api/tool-table.js';
import { useDescribedAction } from '../../api/use-described.js';
import { issuesOf, useInvalidFocus } from '../../form/check-form.js';
import { fieldsOf } from '../../form/fields.js';
import { FormFields } from '../../form/form-fields.js';
import { toArguments, toValues } from '../../form/values.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Command } from '../../ui/command.js';
import { Confirm } from '../../ui/confirm.js';
import { EffectBadge } from '../../ui/effect-badge.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { useAddress } from '../../ui/use-address.js';
import { fromText, toText } from './long-arguments.js';
import { Result } from './result.js';
import { snippetsOf } from './snippets.js';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The form of a tool, its result, and the call as a snippet. Its arguments are in the address, but for secrets and long ones. */
export function ToolPanel({ tool }: { readonly tool: DescribedTool }) {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const fields = useMemo(() => fieldsOf(tool.input), [tool]);
  const [values, setValues] = useState(() =>
    toValues(fields, { workspace_id: workspace.id, ...fromText(tool.name, get('args')) }),
  );
  const [missing, setMissing] = useState(NOTHING);
  const [isAsking, setAsking] = useState(false);
  const call = useDescribedAction(tool, { atOnce: true });
  const form = useRef<HTMLFormElement>(null);
  const issues = missing.size > 0 ? missing : (call.error?.issues ?? NOTHING);
  useInvalidFocus(form, issues);
  const { input } = toArguments(fields, values);
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const open = Object.fromEntries(Object.entries(input).filter(([name]) => !secrets.has(name)));
  const keep = () => set({ args: toText(tool.name, open) });
  const run = () => {
    call.mutate(input);
    setAsking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = issuesOf(form.current, toArguments(fields, values));
    setMissing(found);
    if (found.size > 0) return;
    keep();
    if (tool.effect === 'delete') setAsking(true);
    else run();
  };
  return (
    <div className="stack">
      <section className="card" aria-label={tool.name}>
        <header className="tool-head">
          <div className="tool-name">
            <h2 className="mono">{tool.name}</h2>
            <EffectBadge effect={tool.effect} />
            <span className="badge">{tool.scope}</span>
            {tool.role && <span className="badge">role: {tool.role}</span>}
          </div>
          <p>{tool.description}</p>
          <p className="muted time">
            {tool.route.join(' ')} · {tool.toolset}, from the plugin {tool.plugin}
          </p>
        </header>
        <form ref={form} className="form card-body" onSubmit={submit} onBlur={keep} noValidate>
          {fields.length === 0 && <p className="muted">It takes no arguments.</p>}
          <FormFields fields={fields} values={values} onChange={setValues} issues={issues} />
          {tool.streams ? (
            <p className="notice">
              <Icon name="alert" />
              {tool.streams === 'in'
                ? 'It takes any number of lines of JSON: call it from a terminal, as below.'
                : 'It answers with any number of lines of JSON: call it from a terminal, as below.'}
            </p>
          ) : (
            <div>
              <button
                type="submit"
                className={tool.effect === 'delete' ? 'button danger' : 'button primary'}
                disabled={call.isPending}
              >
                {call.isPending ? 'Calling…' : 'Call'}
              </button>
            </div>
          )}
        </form>
      </section>
      {call.error && <Failed error={call.error} verbatim />}
      {call.data && <Result key={call.submittedAt} answer={call.data} tookMs={call.data.tookMs} />}
      <Snippets
        tool={tool}
        input={{
          ...input,
          ...Object.fromEntries([...secrets].filter((name) => name in input).map((name) => [name, '…'])),
        }}
      />
      {isAsking && (
        <Confirm
          title={`Call ${tool.name}?`}
          label="Call"
          isPending={call.isPending}
          error={null}
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          <p>{tool.description}</p>
        </Confirm>
      )}
    </div>
  );
}

function Snippets({ tool, input }: { readonly tool: DescribedTool; readonly input: object }) {
  const [get, set] = useAddress();
  const snippets = snippetsOf(tool, input);
  const snippet = snippets.find(({ id }) => id === get('program')) ?? snippets[0];
  if (!snippet) return null;
  return (
    <section className="card">
      <h2>The same call elsewhere</h2>
      <div className="card-body">
        <Tabs
          label="Program"
          tabs={snippets}
          selected={snippet.id}
          onSelect={(program) => set({ program }, 'push')}
        >
          <Command text={snippet.text} name={snippet.name} />
        </Tabs>
      </div>
    </section>
  );
}
