import { oneLine } from '@service-mcp/core';
import type { Redaction } from '@service-mcp/plugin-secrets/contract';
import type { KnowledgeNode } from './nodes.js';
import type { MemoryEvent } from './events.js';
import type { Contradiction, Duplicate } from './services/duplicates.js';
import type { NodeVersion } from './services/node-versions.js';
import { shortened } from './services/sentences.js';

/** Of a version; memory_get_node with as_of has the whole. */
const MAX_VERSION_CONTENT = 200;

/** An event in a line of text for a model. */
export function eventLine({ occurred_at, event_type, title, id, importance }: MemoryEvent): string {
  const weight = importance === 'medium' ? '' : `, ${importance}`;
  return `${occurred_at.slice(0, 10)} ${event_type}${weight}: ${oneLine(title)} (id ${id})`;
}

/** A node in a line of text for a model. */
export function nodeLine(node: KnowledgeNode): string {
  const { node_type, title, id, valid_from, valid_to, superseded_by } = node;
  const status = node.status + (superseded_by === null ? '' : ` by ${superseded_by}`);
  const until = valid_to === null ? '' : ` to ${valid_to.slice(0, 10)}`;
  return `${node_type}, ${status}, from ${valid_from.slice(0, 10)}${until}: ${oneLine(title)} (id ${id})`;
}

/** Tells what was taken out before something was stored. Empty where nothing was. */
export function redactedLine(redacted: readonly Redaction[] = []): string {
  if (redacted.length === 0) return '';
  const taken = redacted.map(({ field, rule }) => `${field} (${rule})`).join(', ');
  return `\nSecrets were taken out and are not stored: ${taken}.`;
}

/** Names the files that a record points to and that are not there. Empty where all are. */
export function missingLine({ code_refs }: Pick<KnowledgeNode, 'code_refs'>): string {
  const missing = new Set(code_refs.flatMap((ref) => (ref.missing ? [oneLine(ref.path)] : [])));
  if (missing.size === 0) return '';
  return `\nThese files of code_refs are not there, or not yet: ${[...missing].join(', ')}.`;
}

/** An event whole: its line, what else is known about it, then its content. */
export function eventText(event: MemoryEvent): string {
  const { session_id, provenance } = event;
  const from = Object.entries(provenance).map(([name, value]) => `${name} ${value}`);
  return whole(eventLine(event), event, { Session: session_id === null ? [] : [session_id], From: from });
}

/** A node whole: its line, what else is known about it, then its content. */
export function nodeText(node: KnowledgeNode): string {
  const { confidence, supersedes } = node;
  return whole(nodeLine(node), node, {
    Confidence: confidence === 1 ? [] : [String(confidence)],
    Supersedes: supersedes === null ? [] : [supersedes],
  });
}

/** A version of a node: when and by whom it was recorded, what it was, and why. */
export function versionText({ version, recorded_at, recorded_by, reason, node }: NodeVersion): string {
  const why = reason === null ? '' : `; ${oneLine(reason)}`;
  const said = shortened(oneLine(node.content), MAX_VERSION_CONTENT);
  return `${version}, ${recorded_at}, by ${recorded_by}: ${nodeLine(node)}${why}\n${said}`;
}

/** A record that was stored, and the ones that say the same. */
export function storedText(
  done: string,
  line: string,
  { id, duplicates }: { readonly id: string; readonly duplicates: readonly Duplicate[] },
): string {
  if (duplicates.length === 0) return `${done} ${line}`;
  if (duplicates.some((twin) => twin.id === id)) return `Merged into ${line}`;
  const same = duplicates.map(({ id, similarity }) => `${id} (${similarity})`).join(', ');
  const what = duplicates.every(({ similarity }) => similarity === 1) ? 'the same' : 'nearly the same';
  return `${done} ${line}\nThese say ${what}: ${same}. on_duplicate merge stores such a text once.`;
}

/** The nodes that a new one contradicts, and how to settle it. Empty where there are none. */
export function contradictedLine({
  id,
  contradictions,
}: {
  readonly id: string;
  readonly contradictions: readonly Contradiction[];
}): string {
  if (contradictions.length === 0) return '';
  const named = contradictions.map((node) => `${oneLine(node.title)} [${node.id}]`).join('; ');
  return `\nThese differ from it in a number or a negation, or are what it leaves: ${named}. Of one that no longer holds: memory_supersede_node with its id and superseded_by ${id}.`;
}

function whole(
  line: string,
  { content, tags, project_id, code_refs, metadata }: MemoryEvent | KnowledgeNode,
  own: Readonly<Record<string, readonly string[]>>,
): string {
  const known = {
    Tags: tags,
    Project: project_id === null ? [] : [project_id],
    ...own,
    Code: code_refs.map(
      ({ path, symbol, missing }) =>
        `${path}${symbol === undefined ? '' : `#${symbol}`}${missing ? ' (missing)' : ''}`,
    ),
    Metadata: Object.keys(metadata).length === 0 ? [] : [JSON.stringify(metadata)],
  };
  const lines = Object.entries(known)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.map(oneLine).join(', ')}`);
  return [line, ...lines, '', content].join('\n');
}
