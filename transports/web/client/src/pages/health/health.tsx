import { Page } from '../../shell/page.js';
import { Checks } from './checks.js';
import { DeploymentFacts } from './deployment-facts.js';
import { Indexes } from './indexes.js';
import { Quotas } from './quotas.js';
import { Usage } from './usage.js';

/** Is the service whole: its own checks, the index of each project, its quotas and use, and what is deployed. */
export function Health() {
  return (
    <Page title="Health" about="Checked every ten seconds while this page is open.">
      <div className="columns">
        <div className="stack">
          <Checks />
          <DeploymentFacts />
        </div>
        <div className="stack">
          <Indexes />
          <Quotas />
        </div>
      </div>
      <Usage />
    </Page>
  );
}
