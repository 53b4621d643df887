import type { Selection } from '@service-mcp/core';

/** Core recognizes a BootError by its name and shows its message unchanged. */
class InvalidAddress extends Error {
  override readonly name = 'BootError';
}

/** Normalises the address of the service: scheme, host, port and path, no trailing slash. Throws a BootError. */
export function parseAddress(text: string): string {
  const url = new URL(text); // validated by the schema
  const problem = problemOf(url);
  if (problem !== undefined) {
    throw new InvalidAddress(
      `SERVICE_API_URL (upstream.url): ${problem}\n  Set it to the base address of the service, such as https://memory.example.org`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function problemOf({ protocol, username, password, search, hash, pathname }: URL): string | undefined {
  if (!/^https?:$/.test(protocol)) return 'it is not an http or https address';
  if (username !== '' || password !== '') return 'it contains a credential, which belongs in SERVICE_API_KEY';
  if (search !== '' || hash !== '') return 'it contains a query or a fragment';
  return /\/(?:mcp|client|agent-[ab])\/*$/.test(pathname)
    ? 'it is the address of an MCP endpoint'
    : undefined;
}

/** Do requests to this address cross a network unencrypted? */
export function isUnencrypted(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Core's name for all allowed tools. */
const ALL_TOOLSETS = '*';

/** The MCP endpoint of the service for a selection. The service validates the names of toolsets. */
export function endpoint(base: string, { toolsets, readOnly }: Selection): string {
  const all = toolsets.length === 1 && toolsets[0] === ALL_TOOLSETS;
  const query = new URLSearchParams();
  if (!all && toolsets.length > 0) query.set('toolset', toolsets.join(','));
  if (readOnly) query.set('readonly', 'true');
  const text = query.toString();
  return `${base}${all ? '/client' : '/mcp'}${text === '' ? '' : `?${text}`}`;
}
