import { isRecord } from '@service-mcp/core/wire';

const OF_MESSAGE = new Set(['jsonrpc', 'id', 'method', 'params']);
const OF_ANSWER = new Set(['jsonrpc', 'id', 'result', 'error']);

/** A message without members that neither JSON-RPC nor MCP knows: they are ignored, where the SDK refuses the whole. */
export function withKnownMembers(message: unknown): unknown {
  if (!isRecord(message)) return message;
  const known = 'method' in message ? OF_MESSAGE : OF_ANSWER;
  const members = Object.entries(message);
  const kept = members.filter(([name]) => known.has(name));
  return kept.length === members.length ? message : Object.fromEntries(kept);
}
