import { isSecret } from '../../form/fields.js';
import type { DescribedTool } from '../../api/tool-table.js';
import { Command } from '../../ui/command.js';
import { words } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';

export interface Secret {
  readonly label: string;
  readonly value: string;
}

/** The fields of a result that its schema marks as secret. */
export function secretsOf(
  { output: { properties = {} } }: DescribedTool,
  result: unknown,
): readonly Secret[] {
  return Object.entries((result ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, value]) =>
    typeof value === 'string' && properties[name] && isSecret(properties[name])
      ? [{ label: words(name), value }]
      : [],
  );
}

/** A new secret, to copy. It is held by this page alone, and gone with it. */
export function ShownOnce({
  secrets,
  onClose,
}: {
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}) {
  return (
    <section className="card shown-once" aria-label="Shown once">
      <output className="notice good">
        <Icon name="check" /> Copy it now: it is shown once, and stored nowhere that could show it again.
      </output>
      <div className="card-body stack">
        {secrets.map(({ label, value }) => (
          <Command key={label} name={label} text={value} />
        ))}
        <div>
          <button type="button" className="button" onClick={onClose}>
            I have copied it
          </button>
        </div>
      </div>
    </section>
  );
}
