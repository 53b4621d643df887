import { isIP } from 'node:net';

/** Does a peer sit on the machine of the gateway? */
export function isThisMachine(peer: string): boolean {
  return peer === '::1' || (isIP(peer) === 4 && peer.startsWith('127.'));
}
