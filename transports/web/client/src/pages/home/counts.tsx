import type { Output } from '../../api/call.js';
import { count } from '../../ui/format.js';

const SHOWN = [
  ['projects', 'Projects'],
  ['files', 'Files'],
  ['chunks', 'Passages'],
  ['events', 'Memory events'],
  ['nodes', 'Knowledge nodes'],
  ['members', 'Members'],
] as const;

export function Counts({ counts }: { readonly counts: Output<'workspaces_overview'>['counts'] }) {
  return (
    <dl className="counts">
      {SHOWN.map(([field, label]) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>{count(counts[field])}</dd>
        </div>
      ))}
    </dl>
  );
}
