import type { ProjectGraph } from './project-graph.js';
import type { Step } from './reach.js';
import { edgeView } from './symbol-view.js';

export const DIAGRAM_FORMATS = ['mermaid', 'dot'] as const;

const MAX_EDGES = 300;
const MAX_LABEL = 80;

/** A diagram of some steps, of which the first 300 are drawn; `target` is drawn thick. */
export function diagramOf(
  graph: ProjectGraph,
  target: number,
  steps: readonly Step[],
  format: (typeof DIAGRAM_FORMATS)[number],
): { readonly text: string; readonly truncated: boolean } {
  const drawn = steps.slice(0, MAX_EDGES);
  const nodes = [...new Set([target, ...drawn.flatMap(({ source, target }) => [source, target])])];
  const names = new Map(nodes.map((node, i) => [node, `n${i}`]));
  const edges = drawn.map((step) => {
    const { kind, confidence } = edgeView(graph, step);
    return { from: names.get(step.source)!, to: names.get(step.target)!, kind, sure: confidence >= 0.5 };
  });
  const draw = format === 'mermaid' ? mermaid : dot;
  const labels = nodes.map((node) => ({ name: names.get(node)!, label: labelOf(graph.id(node)) }));
  return { text: draw(labels, edges), truncated: steps.length > drawn.length };
}

interface Label {
  readonly name: string;
  readonly label: string;
}
interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly sure: boolean;
}

function mermaid(nodes: readonly Label[], edges: readonly DrawnEdge[]): string {
  return [
    'flowchart LR',
    ...nodes.map(({ name, label }) => `  ${name}["${escapeMermaid(label)}"]`),
    ...edges.map(({ from, to, kind, sure }) => `  ${from} ${sure ? '-->' : '-.->'}|${kind}| ${to}`),
    '  style n0 stroke-width:3px',
  ].join('\n');
}

function dot(nodes: readonly Label[], edges: readonly DrawnEdge[]): string {
  return [
    'digraph dependencies {',
    '  rankdir=LR;',
    ...nodes.map(
      ({ name, label }, i) => `  ${name} [label="${escapeDot(label)}"${i === 0 ? ', penwidth=3' : ''}];`,
    ),
    ...edges.map(
      ({ from, to, kind, sure }) => `  ${from} -> ${to} [label="${kind}"${sure ? '' : ', style=dashed'}];`,
    ),
    '}',
  ].join('\n');
}

/** The end of an id tells most. */
function labelOf(id: string): string {
  const label = id.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
  return label.length <= MAX_LABEL ? label : `…${label.slice(1 - MAX_LABEL)}`;
}

/** Everything that is not a plain character becomes an entity of Mermaid. */
function escapeMermaid(label: string): string {
  return label.replaceAll(/[^\p{L}\p{N}\s._/~…-]/gu, (character) => `#${character.codePointAt(0)};`);
}

function escapeDot(label: string): string {
  return label.replaceAll(/["\\]/g, String.raw`\$&`);
}
