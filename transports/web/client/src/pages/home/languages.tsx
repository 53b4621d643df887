import type { Output } from '../../api/call.js';
import { counted, languageName } from '../../ui/format.js';

const MAX_SHOWN = 6;

/** Languages by their share of the text. */
export function Languages({ languages }: { readonly languages: Output<'workspaces_overview'>['languages'] }) {
  const total = languages.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = languages.toSorted((a, b) => b.bytes - a.bytes).slice(0, MAX_SHOWN);
  const percent = (bytes: number) => (100 * bytes) / Math.max(total, 1);
  return (
    <section className="card">
      <h2>Languages</h2>
      <div className="card-body">
        <div className="bar" aria-hidden="true">
          {largest.map(({ language, bytes }, index) => (
            <span key={language} className={`chart-${index}`} style={{ width: `${percent(bytes)}%` }} />
          ))}
        </div>
        <ul className="legend">
          {largest.map(({ language, files, bytes }, index) => (
            <li key={language}>
              <span className={`swatch chart-${index}`} />
              <span>{languageName(language)}</span>
              <span className="muted">
                {percent(bytes).toFixed(1)}% · {counted(files, 'file')}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
