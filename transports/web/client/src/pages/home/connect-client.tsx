import { clientSetups } from '@service-mcp/transport-mcp/client-settings';
import { useState } from 'react';
import { accounts, mcpUrl, ROOT } from '../../api/deployment.js';
import { useAction } from '../../api/use-tool.js';
import { keepLateFailure, keepLateSecrets } from '../../shell/late-results.js';
import { useMayWrite } from '../../shell/use-may-write.js';
import { useWorkspace } from '../../shell/workspace.js';
import { Command } from '../../ui/command.js';
import { Icon } from '../../ui/icon.js';
import { Failed } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { useAddress } from '../../ui/use-address.js';

/** The configuration of a client with the right address, and with a key that is made here and kept nowhere. */
export function ConnectClient() {
  const { workspace } = useWorkspace();
  const [get, set] = useAddress();
  const [key, setKey] = useState<string>();
  const mayWrite = useMayWrite();
  const create = useAction('auth_create_api_key');
  const setups = clientSetups({
    mcp: mcpUrl,
    base: ROOT.href.replace(/\/$/, ''),
    key: accounts ? (key ?? 'YOUR_API_KEY') : undefined,
  });
  const setup = setups.find(({ id }) => id === get('client')) ?? setups[0];
  const makeKey = () =>
    create.run(
      { name: `${setup?.label ?? 'Client'} (dashboard)`, workspace_id: workspace.id },
      ({ secret_key, name }, isShown) =>
        isShown ? setKey(secret_key) : keepLateSecrets([{ label: `Secret key: ${name}`, value: secret_key }]),
      (error, isShown) => {
        if (!isShown) keepLateFailure('Make a key', error);
      },
    );
  return (
    <section className="card">
      <h2>Connect a client</h2>
      <div className="card-body">
        {setup && (
          <Tabs
            label="Client"
            tabs={setups}
            selected={setup.id}
            onSelect={(client) => set({ client }, 'push')}
          >
            <Command text={setup.text} {...(setup.file !== undefined && { name: setup.file })} />
          </Tabs>
        )}
        {accounts && key === undefined && mayWrite('auth_create_api_key', 'viewer') && (
          <div className="key-offer">
            <button type="button" className="button primary" onClick={makeKey} disabled={create.isPending}>
              <Icon name="key" /> {create.isPending ? 'Making a key…' : 'Make a key'}
            </button>
            <p className="muted">
              For {workspace.name} alone. A client that signs in by OAuth needs no key: only the address{' '}
              {mcpUrl}
            </p>
          </div>
        )}
        {key !== undefined && (
          <output className="notice good">
            <Icon name="check" /> The key is in the text above. It is shown once: copy it before you leave
            this page.
          </output>
        )}
        {create.error && <Failed error={create.error} again={makeKey} />}
      </div>
    </section>
  );
}
