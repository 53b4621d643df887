import ipaddr from 'ipaddr.js';

/**
 * The part of the network that one client has, as a key to count it by: an IPv4 address, the 64 leading bits of an IPv6 one,
 * of which it may use every address. Text that is not an address stays as it is.
 */
export function networkOf(peer: string): string {
  if (!ipaddr.isValid(peer)) return peer;
  const address = ipaddr.process(peer); // an IPv4 address in IPv6 clothes is the IPv4 one
  if (address.kind() === 'ipv4') return address.toString();
  return `${Buffer.from(address.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
