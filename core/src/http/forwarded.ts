import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

export type Network = ReturnType<typeof ipaddr.parseCIDR>;

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'] as const;
/** Further headers of proxies, which say no more than that there is one. */
const SIGNS = [...FORWARDED, 'via', 'x-real-ip'] as const;

/** The client of a request. */
export interface Peer {
  /** The IP address of the client. */
  readonly address: string;
  /** True for a request that was forwarded without a trusted proxy: the client may have another address. */
  readonly forwarded: boolean;
}

/**
 * Reads `server.trusted_proxies`: addresses, networks in CIDR form, or "loopback".
 * Returns undefined for any other word.
 */
export function parseNetworks(words: readonly string[]): Network[] | undefined {
  const texts = words.flatMap((word) => (word === 'loopback' ? LOOPBACK : [word]));
  if (!texts.every((text) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text))) return undefined;
  return texts.map((text) => {
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

/**
 * Makes the forwarding headers of a request reliable: kept from a trusted proxy (and reduced to the
 * one address, scheme and host that it vouches for), deleted from anyone else.
 */
export function settleForwarded(req: IncomingMessage, trusted: readonly Network[]): Peer {
  const direct = plain(req.socket.remoteAddress ?? '');
  const { headers } = req;
  const isForwarded = SIGNS.some((name) => headers[name] !== undefined);
  if (trusted.length === 0 || !within(direct, trusted)) {
    for (const name of FORWARDED) if (headers[name] !== undefined) delete headers[name];
    return { address: direct, forwarded: isForwarded };
  }
  const told = split(headers['x-forwarded-for']).map(withoutPort);
  const hops = [...told, direct];
  const client = hops.findLast((hop) => !within(hop, trusted)) ?? hops[0] ?? direct;
  delete headers['forwarded'];
  headers['x-forwarded-for'] = client;
  // The value that a client sent is overwritten by a proxy, or stands before the one that the proxy adds.
  for (const name of ['x-forwarded-proto', 'x-forwarded-host'] as const) {
    const last = split(headers[name]).at(-1);
    if (last !== undefined) headers[name] = last;
  }
  if (!['http', 'https'].includes(String(headers['x-forwarded-proto']))) delete headers['x-forwarded-proto'];
  return { address: client, forwarded: isForwarded && told.length === 0 };
}

function split(header: string | readonly string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The address of a hop that was written with its port: else each connection would be another client. */
function withoutPort(hop: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(hop) ?? [];
  return ipv4 ?? ipv6 ?? hop;
}

const MAPPED = '::ffff:';

/** The address of a socket; an IPv4 address that came over IPv6 in its own form. */
function plain(address: string): string {
  return address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
}

function within(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}
