import type { EdgeKind, GraphSymbol, Reason } from '../model.js';
import { EDGE_KINDS, REASONS } from './file-part.js';
import type { ProjectGraph } from './project-graph.js';
import type { Step } from './reach.js';

/** A symbol as answers show it (contract.md 6). */
export interface SymbolView {
  readonly id: string;
  readonly name: string;
  readonly qualified_name: string;
  readonly kind: GraphSymbol['kind'];
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
}

export function symbolView(graph: ProjectGraph, node: number): SymbolView {
  const { name, qualifiedName, kind, startLine, endLine, signature } = graph.symbol(node);
  return {
    id: graph.id(node),
    name,
    qualified_name: qualifiedName,
    kind,
    path: graph.path(node),
    start_line: startLine,
    end_line: endLine,
    signature,
  };
}

/** An edge as answers show it. Path and line are those of its source. */
export interface EdgeView {
  readonly kind: EdgeKind;
  readonly path: string;
  readonly line: number;
  readonly confidence: number;
  readonly reason: Reason;
}

export function edgeView(graph: ProjectGraph, { source, target, edge }: Step): EdgeView {
  const { kinds, lines, confidences, reasons } = graph.rows;
  const path = graph.path(source);
  if (edge < 0)
    return { kind: 'contains', path, line: graph.symbol(target).startLine, confidence: 1, reason: 'scope' };
  return {
    kind: EDGE_KINDS[kinds[edge]!]!,
    path,
    line: lines[edge]!,
    confidence: confidences[edge]! / 100,
    reason: REASONS[reasons[edge]!]!,
  };
}
