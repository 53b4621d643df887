import { isSecret } from '../form/fields.js';
import type { DescribedTool } from '../api/tool-table.js';
import { Command } from './command.js';
import { words } from './format.js';
import { Icon } from './icon.js';

type Fields = Readonly<Record<string, unknown>>;

export interface Secret {
  readonly label: string;
  readonly value: string;
}

/** The fields of a result that its schema marks as secret, each with the name of what was made. */
export function secretsOf(
  { output: { properties = {} } }: DescribedTool,
  result: unknown,
): readonly Secret[] {
  const fields = (result ?? {}) as Fields;
  const of = nameOf(fields);
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && properties[name] && isSecret(properties[name])
      ? [{ label: of === undefined ? words(name) : `${words(name)}: ${of}`, value }]
      : [],
  );
}

/** The name or e-mail address in a result, or one level deeper. */
function nameOf(fields: Fields): string | undefined {
  const inner = Object.values(fields).filter((value) => typeof value === 'object' && value !== null);
  return [fields, ...(inner as Fields[])]
    .flatMap(({ name, email }) => [name, email])
    .find((name): name is string => typeof name === 'string' && name !== '');
}

/** New secrets, to copy. They are stored nowhere, and gone with what shows them. */
export function ShownOnce({
  secrets,
  onClose,
}: {
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}) {
  const [it, theyAre] = secrets.length === 1 ? ['it', 'it is'] : ['them', 'they are'];
  return (
    <section className="card shown-once" aria-label="Shown once">
      <output className="notice good">
        <Icon name="check" /> Copy {it} now: {theyAre} shown once, and stored nowhere that could show {it}{' '}
        again.
      </output>
      <div className="card-body stack">
        {secrets.map(({ label, value }) => (
          <Command key={value} name={label} text={value} />
        ))}
        <div>
          <button type="button" className="button" onClick={onClose}>
            I have copied {it}
          </button>
        </div>
      </div>
    </section>
  );
}
