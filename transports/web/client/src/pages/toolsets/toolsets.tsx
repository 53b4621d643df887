import { Link } from 'wouter';
import type { Output } from '../../api/call.js';
import { useToolTable, type ToolTable } from '../../api/tool-table.js';
import { useTool } from '../../api/use-tool.js';
import { Page } from '../../shell/page.js';
import { Command } from '../../ui/command.js';
import { EffectBadge } from '../../ui/effect-badge.js';
import { count, counted } from '../../ui/format.js';
import { Failed, Loaded } from '../../ui/states.js';

type Toolset = Output<'deployment_get'>['toolsets'][number];

/** Which tools this deployment has, by toolset, and how its operator changes that. */
export function Toolsets() {
  const deployment = useTool('deployment_get', {});
  const table = useToolTable();
  return (
    <Page
      title="Toolsets"
      about="The tools that this deployment serves, in the groups that it turns on and off."
    >
      <Loaded query={deployment} lines={12}>
        {({ toolsets }) => (
          <div className="stack">
            {table.error && <Failed error={table.error} again={() => void table.refetch()} />}
            {toolsets.map((toolset) => (
              <OneToolset key={toolset.id} toolset={toolset} table={table.data} />
            ))}
            <p className="muted">
              A model reads the list of its tools before the first question: the tokens are those of the whole
              list of a toolset over MCP, at four bytes a token. Clients see the tools of the level standard
              unless they ask for others.
            </p>
            <section className="card">
              <h2>For the operator</h2>
              <div className="card-body stack">
                <p>
                  These settings of the deployment file decide which tools exist. Each takes levels (light,
                  standard, complete), toolsets and names of tools. Start the service again after a change.
                </p>
                <Command name="deployment.json" text={SETTINGS} />
                <p className="muted">
                  A client narrows what it sees further by itself: with the header X-Service-Toolset, or
                  ?toolset= in the address.
                </p>
              </div>
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const BYTES_PER_TOKEN = 4;
/** In tens: it is an estimate. */
const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN / 10) * 10;

const SETTINGS = `"toolsets": {
  "allowed": ["complete"],
  "default": ["standard"],
  "exclude": ["accounts", "memory_import"],
  "read_only": false
}`;

function OneToolset({
  toolset: { id, plugin, description, tools, list_bytes },
  table,
}: {
  readonly toolset: Toolset;
  readonly table: ToolTable | undefined;
}) {
  return (
    <section className="card" aria-label={id}>
      <header className="tool-head">
        <div className="tool-name">
          <h2 className="mono">{id}</h2>
          {tools.length > 0 ? (
            <span className="badge good">{counted(tools.length, 'tool')}</span>
          ) : (
            <span className="badge">Off</span>
          )}
          <span className="muted time">from the plugin {plugin}</span>
          {list_bytes > 0 && (
            <span className="muted time" title={`${count(list_bytes)} bytes, at four bytes a token`}>
              about {count(tokensOf(list_bytes))} tokens
            </span>
          )}
        </div>
        <p>{description}</p>
        {tools.length === 0 && (
          <p className="muted">
            None of its tools is served: the setting toolsets.allowed or toolsets.exclude leaves them out, or
            the service is read-only.
          </p>
        )}
      </header>
      <ul className="rows toolset-rows">
        {tools.map((name) => {
          const tool = table?.get(name);
          return (
            <li key={name}>
              <div className="grow toolset-tool">
                {tool ? (
                  <Link href={`/explorer?tool=${name}`} className="mono">
                    {name}
                  </Link>
                ) : (
                  <span className="mono">{name}</span>
                )}
                <span className="muted time wrap">{tool?.title ?? (table && 'Not over REST')}</span>
              </div>
              {tool && <span className="badge optional">{tool.scope}</span>}
              {tool && <EffectBadge effect={tool.effect} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
