import type { DescribedTool } from '../../api/tool-table.js';
import { EffectBadge } from '../../ui/effect-badge.js';
import { Empty } from '../../ui/states.js';

/** Tools by their toolsets; the chosen one is marked. */
export function ToolList({
  tools,
  chosen,
  onChoose,
}: {
  readonly tools: readonly DescribedTool[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}) {
  if (tools.length === 0)
    return (
      <Empty title="No tool matches">
        <p>Try another word, or another effect.</p>
      </Empty>
    );
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].toSorted();
  return toolsets.map((toolset) => (
    <section key={toolset} aria-label={toolset}>
      <h2 className="toolset-name">{toolset}</h2>
      <ul className="tool-list">
        {tools
          .filter((tool) => tool.toolset === toolset)
          .map(({ name, title, effect }) => (
            <li key={name}>
              <button type="button" aria-current={name === chosen} onClick={() => onChoose(name)}>
                <span className="grow">
                  <span className="mono">{name}</span>
                  <span className="muted">{title}</span>
                </span>
                <EffectBadge effect={effect} />
              </button>
            </li>
          ))}
      </ul>
    </section>
  ));
}
