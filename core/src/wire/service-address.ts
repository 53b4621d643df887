/** The base address of a service: scheme, host, port and path of a URL, without a slash at the end. */
export function baseAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
}

/** The URL of an http or https address, which a browser may open; undefined for another value. */
export function webAddress(value: unknown): URL | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The reason that a text cannot be the base address of a service; undefined for one that can. */
export function addressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is not a URL';
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return 'it is not an http or https address';
  if (url.username !== '' || url.password !== '')
    return 'it contains a credential, which belongs in SERVICE_API_KEY';
  if (url.search !== '' || url.hash !== '') return 'it contains a query or a fragment';
  return MCP_ENDPOINT.test(url.pathname) ? 'it is the address of an MCP endpoint' : undefined;
}

/** Ends of the addresses at which a service speaks MCP (interface.md 4.4). */
const MCP_ENDPOINT = /\/(?:mcp|agent-a|agent-b|client)\/*$/;
