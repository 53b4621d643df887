import { isIP } from 'node:net';

/** Is the peer on the gateway's own machine? */
export function isThisMachine(peer: string): boolean {
  return peer === '::1' || (isIP(peer) === 4 && peer.startsWith('127.'));
}
