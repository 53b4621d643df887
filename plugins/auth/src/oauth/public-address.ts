import ipaddr from 'ipaddr.js';

/** Networks that embed an IPv4 address or are site-local, and that the library classifies as unicast. */
const SPECIAL = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  'fec0::/10',
  '100::/64',
  '2001::/23',
  '5f00::/16',
  '3fff::/20',
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '240.0.0.0/4',
].map((network) => ipaddr.parseCIDR(network));

/** Is this a public Internet address, not one of this machine, its networks or a tunnel into them? */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !SPECIAL.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}
