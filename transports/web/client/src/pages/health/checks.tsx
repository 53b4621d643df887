import { useQuery } from '@tanstack/react-query';
import { ROOT } from '../../api/deployment.js';
import { Failure } from '../../api/failure.js';
import { request } from '../../api/request.js';
import { Loaded } from '../../ui/states.js';

const EVERY_MS = 10_000;

interface Check {
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly message: string;
  readonly remedy?: string;
}

const TONES: Readonly<Record<Check['status'], readonly [tone: string, label: string]>> = {
  ok: ['good', 'OK'],
  degraded: ['busy', 'Degraded'],
  failed: ['bad', 'Failed'],
};

/** `/ready` is not a route of a tool: a probe's status says what its body says. */
async function readChecks(): Promise<readonly Check[]> {
  const { response, body } = await request(new URL('ready', ROOT));
  const { checks } = (body ?? {}) as { checks?: readonly Check[] }; // core's health.ts, or a proxy before it
  if (!checks) throw new Failure(response.status, {});
  return checks;
}

export function Checks() {
  const checks = useQuery<readonly Check[], Failure>({
    queryKey: ['', 'ready'], // a name that no tool has
    queryFn: readChecks,
    refetchInterval: EVERY_MS,
  });
  return (
    <section className="card">
      <h2>Checks</h2>
      <Loaded query={checks}>
        {(all) => (
          <ul className="rows">
            {all.map(({ name, status, message, remedy }) => (
              <li key={name}>
                <div className="grow">
                  <p className="strong">{name}</p>
                  <p className="muted time wrap">{message}</p>
                  {remedy !== undefined && <p className="time wrap">→ {remedy}</p>}
                </div>
                <span className={`badge ${TONES[status][0]}`}>{TONES[status][1]}</span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
