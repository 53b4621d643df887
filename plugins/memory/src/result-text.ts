import { oneLine } from '@service-mcp/core';
import type { Redaction } from '@service-mcp/plugin-secrets/contract';
import type { KnowledgeNode } from './nodes.js';
import type { MemoryEvent } from './events.js';
import type { Duplicate } from './services/duplicates.js';

/** An event in a line of text for a model. */
export function eventLine({ occurred_at, event_type, title, id, importance }: MemoryEvent): string {
  const weight = importance === 'medium' ? '' : `, ${importance}`;
  return `${occurred_at.slice(0, 10)} ${event_type}${weight}: ${oneLine(title)} (id ${id})`;
}

/** A node in a line of text for a model. */
export function nodeLine({ node_type, status, title, id, valid_from, valid_to }: KnowledgeNode): string {
  const until = valid_to === null ? '' : ` to ${valid_to.slice(0, 10)}`;
  return `${node_type}, ${status}, from ${valid_from.slice(0, 10)}${until}: ${oneLine(title)} (id ${id})`;
}

/** Tells what was taken out before something was stored. Empty where nothing was. */
export function redactedLine(redacted: readonly Redaction[] = []): string {
  if (redacted.length === 0) return '';
  const taken = redacted.map(({ field, rule }) => `${field} (${rule})`).join(', ');
  return `\nSecrets were taken out and are not stored: ${taken}.`;
}

/** An event whole: its line, then its content. */
export function eventText(event: MemoryEvent): string {
  return whole(eventLine(event), event);
}

/** A node whole: its line, then its content. */
export function nodeText(node: KnowledgeNode): string {
  return whole(nodeLine(node), node);
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
  return `${done} ${line}\nThese say ${what}: ${same}. memory_merge puts them together.`;
}

function whole(line: string, { content, tags }: { content: string; tags: readonly string[] }): string {
  return [line, ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : []), '', content].join('\n');
}
