import type { Node, Query } from 'web-tree-sitter';
import type { SymbolKind } from '../contract.js';

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A declaration in the order of the query's matches, without its parent and its qualified name. */
export interface Mark {
  /** Null for a scope, which qualifies the names inside it without being a symbol. */
  readonly kind: SymbolKind | null;
  readonly prototype: boolean;
  readonly name: string;
  readonly qualifier: string;
  /** The declaration with the node that wraps it, without the leads before it. */
  readonly range: Range;
  readonly body: number | null;
  /** Start of the name; null when the pattern sets the name. */
  readonly nameStart: number | null;
}

export interface Marks {
  readonly declarations: readonly Mark[];
  /** Comments, decorators and attributes by their end, ascending. */
  readonly leads: readonly Range[];
}

interface Found extends Mark {
  readonly pattern: number;
  readonly node: number;
}

/** Runs the declarations query of a grammar (see Grammar.query). Partial when `expired` turns true meanwhile. */
export function markDeclarations(query: Query, root: Node, text: string, expired: () => boolean): Marks {
  const found = new Map<string, Found>();
  const wraps = new Map<number, { readonly id: number; readonly range: Range }>();
  const leads: Range[] = [];
  for (const match of query.matches(root, { progressCallback: expired })) {
    let kind: string | undefined;
    const nodes: Record<string, Node> = {};
    for (const { name, node } of match.captures) {
      nodes[name] = node;
      if (!AUXILIARY.has(name) && !name.startsWith('_')) kind = name;
    }
    if (nodes['lead']) leads.push(rangeOf(nodes['lead']));
    else if (nodes['wrap'] && nodes['inner']) {
      wraps.set(nodes['inner'].id, { id: nodes['wrap'].id, range: rangeOf(nodes['wrap']) });
    } else if (kind !== undefined) {
      const node = nodes[kind] as Node;
      const key = `${node.id}:${nodes['name']?.startIndex ?? ''}`;
      const earlier = found.get(key);
      if (earlier && earlier.pattern <= match.patternIndex) continue;
      const prototype = kind.startsWith(PROTOTYPE);
      const set = match.setProperties;
      const sigil = set?.['sigil'] ?? '';
      found.set(key, {
        kind: kind === 'scope' ? null : ((prototype ? kind.slice(PROTOTYPE.length) : kind) as SymbolKind), // the queries are ours
        prototype,
        name: `${set?.['prefix'] ?? ''}${nodes['name'] ? slice(text, nodes['name']).slice(sigil.length) : (set?.['name'] ?? '')}`,
        qualifier: nodes['qualifier'] ? slice(text, nodes['qualifier']) : '',
        range: rangeOf(node),
        body: nodes['body']?.startIndex ?? null,
        nameStart: nodes['name']?.startIndex ?? null,
        pattern: match.patternIndex,
        node: node.id,
      });
    }
  }
  return {
    declarations: [...found.values()].map((mark) => ({ ...mark, range: outermost(mark, wraps) })),
    leads: leads.sort((a, b) => a.end - b.end),
  };
}

const PROTOTYPE = 'prototype.';
const AUXILIARY = new Set(['name', 'qualifier', 'body', 'inner', 'wrap', 'lead']);
/** Longer than any real name; a hostile text has longer ones. */
const MAX_NAME = 512;

function outermost(found: Found, wraps: ReadonlyMap<number, { id: number; range: Range }>): Range {
  let range = found.range;
  for (let wrap = wraps.get(found.node); wrap; wrap = wraps.get(wrap.id)) range = wrap.range;
  return range;
}

function rangeOf(node: Node): Range {
  return { start: node.startIndex, end: node.endIndex };
}

function slice(text: string, node: Node): string {
  return text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + MAX_NAME));
}
