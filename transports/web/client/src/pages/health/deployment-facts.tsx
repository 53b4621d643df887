import { accounts, mcpUrl } from '../../api/deployment.js';
import { useLive } from '../../api/use-live.js';
import { useTool } from '../../api/use-tool.js';
import { Loaded } from '../../ui/states.js';

const STREAM = { connecting: 'connecting', live: 'open', lost: 'interrupted, trying again' } as const;

export function DeploymentFacts() {
  const live = useLive();
  const deployment = useTool('deployment_get', {});
  return (
    <section className="card">
      <h2>Deployment</h2>
      <Loaded query={deployment}>
        {({ server, version, plugins }) => (
          <dl className="facts">
            <dt>Service</dt>
            <dd>
              {server} {version}
            </dd>
            <dt>MCP</dt>
            <dd className="mono">{mcpUrl}</dd>
            <dt>Accounts</dt>
            <dd>{accounts ? 'yes' : 'a single owner'}</dd>
            <dt>Event stream</dt>
            <dd>{STREAM[live]}</dd>
            <dt>Plugins</dt>
            <dd>{plugins.map(({ id }) => id).join(', ')}</dd>
          </dl>
        )}
      </Loaded>
    </section>
  );
}
