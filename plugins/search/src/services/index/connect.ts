import { lancedb, type Connection, type Session } from './lance.js';

/**
 * Caches of all indexes together: of indexes, and of metadata. LanceDB's defaults are 6 GiB and 1 GiB for each connection. It
 * counts the whole cache of metadata as a part of each partition of a text index: where that is large, a text index does
 * not fit beside others and is opened again and again (ADR 81).
 */
export function caches(): Session {
  return (session ??= new (lancedb().Session)(384n * 1024n * 1024n, 8n * 1024n * 1024n));
}
let session: Session | undefined;

/** A connection to the tables of a folder, whose handles see what other processes write. */
export function connect(uri: string): Promise<Connection> {
  // Without a consistency interval of 0 a handle never sees what other processes write. As an argument of its own, which
  // its types allow, LanceDB 0.31.0 ignores the session.
  return lancedb().connect({ uri, readConsistencyInterval: 0, session: caches() });
}
