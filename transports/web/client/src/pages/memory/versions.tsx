import { useTool } from '../../api/use-tool.js';
import { usePersonName } from '../../shell/use-person-name.js';
import { Loaded } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { changedFields, FieldChanges } from './field-changes.js';

const MAX_SHOWN = 100;

/** Every version of knowledge, the newest first, each with what it changed. */
export function Versions({ nodeId }: { readonly nodeId: string }) {
  const nameOf = usePersonName();
  const history = useTool('memory_node_history', { node_id: nodeId, per_page: MAX_SHOWN });
  return (
    <section aria-label="Versions">
      <h3>Versions</h3>
      <Loaded query={history} lines={2}>
        {({ items, total }) => (
          <ol className="versions">
            {items.map(({ version, recorded_at, recorded_by, reason, node }, index) => {
              const before = items[index + 1]?.node;
              const changed = before && changedFields(before, node).map(({ label }) => label.toLowerCase());
              return (
                <li key={version}>
                  <p>
                    <span className="strong">Version {version}</span> <Time value={recorded_at} />{' '}
                    <span className="muted">by {nameOf(recorded_by)}</span>
                  </p>
                  {reason !== null && <p>Why: {reason}</p>}
                  {before && changed ? (
                    <details>
                      <summary>Changed: {changed.join(', ')}</summary>
                      <FieldChanges before={before} after={node} />
                    </details>
                  ) : (
                    <p className="muted">
                      {version === 1 ? 'Recorded' : `Older ones are not shown: there are ${total}`}
                    </p>
                  )}
                </li>
              );
            })}
          </ol>
        )}
      </Loaded>
    </section>
  );
}
