import type { Selection } from '@service-mcp/core';

/** A deployment that must not start; core knows it by its name and shows it as it is. */
class WrongAddress extends Error {
  override readonly name = 'BootError';
}

/** The address of the service in one form: scheme, host, port and path, no slash at the end. Throws a BootError. */
export function checkedAddress(text: string): string {
  const url = new URL(text); // the schema checked that it is one
  const problem = problemOf(url);
  if (problem !== undefined) {
    throw new WrongAddress(
      `SERVICE_API_URL (upstream.url): ${problem}\n  Give the address of the service alone, such as https://memory.example.org`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function problemOf({ protocol, username, password, search, hash, pathname }: URL): string | undefined {
  if (!/^https?:$/.test(protocol)) return `it is no address of http or https`;
  if (username !== '' || password !== '') return 'it holds a credential, which belongs in SERVICE_API_KEY';
  if (search !== '' || hash !== '') return 'it holds a query or a fragment';
  return /\/(?:mcp|client|agent-[ab])\/*$/.test(pathname)
    ? 'it is the address of an MCP endpoint'
    : undefined;
}

/** Does what is sent there cross a network that others may read? */
export function isReadable(base: string): boolean {
  const { protocol, hostname } = new URL(base);
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Everything under the service's ceiling, in the words of core. */
const CEILING = '*';

/** The MCP endpoint of the service that shows what is selected. Words go unchecked: the service knows its own. */
export function endpoint(base: string, { toolsets, readOnly }: Selection): string {
  const all = toolsets.length === 1 && toolsets[0] === CEILING;
  const query = new URLSearchParams();
  if (!all && toolsets.length > 0) query.set('toolset', toolsets.join(','));
  if (readOnly) query.set('readonly', 'true');
  const text = query.toString();
  return `${base}${all ? '/client' : '/mcp'}${text === '' ? '' : `?${text}`}`;
}
