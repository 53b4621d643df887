import { declaredPaths, type JsonSchema, type Tool } from '@service-mcp/core';

const SEGMENT = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*|:[a-z][a-z0-9_]*)$/;

/** Methods that an effect may use: a query too large for an address is a POST. */
const METHODS: Readonly<Record<Tool['effect'], readonly string[]>> = {
  read: ['GET', 'POST'],
  create: ['POST'],
  update: ['POST', 'PATCH'],
  delete: ['DELETE', 'POST'],
  write: ['POST'],
};

/** The faults of the REST route of a tool. */
export function routeFaults({ http, effect, inputSchema }: Tool): string[] {
  if (!http) return [];
  const { method, status, bareAt = [] } = http;
  const faults: string[] = [];
  const properties = (inputSchema['properties'] ?? {}) as Record<string, JsonSchema>;
  for (const path of declaredPaths(http)) {
    const [, root, ...segments] = path.split('/');
    if (root !== 'v1' || segments.length === 0) faults.push(`${path} is not under /v1/`);
    for (const segment of segments) {
      if (!SEGMENT.test(segment)) faults.push(`"${segment}" in ${path} is neither a word nor :an_argument`);
      if (segment.startsWith(':') && !(segment.slice(1) in properties)) {
        faults.push(`${segment} in ${path} is not an argument`);
      }
    }
  }
  if (!METHODS[effect].includes(method))
    faults.push(`${method} is not a method for a tool with the effect ${effect}`);
  // A tool that creates a record only on request states 200.
  if (status === 201 && effect !== 'create') faults.push(`${effect} answers ${status}`);
  for (const bare of bareAt)
    if (!declaredPaths(http).includes(bare.slice('/api'.length)))
      faults.push(`bareAt ${bare} mirrors no path of it`);
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, { type }] of Object.entries(properties)) {
      if (type === 'object') faults.push(`${name} is an object, which an address cannot carry`);
    }
  }
  return faults;
}
