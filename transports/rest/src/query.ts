import { parse } from 'node:querystring';
import { invalidArgument } from '@service-mcp/core';

/** Query parameters that choose tools (`HttpMount.call` reads them); they are never arguments. */
const SELECTION = new Set(['toolset', 'readonly']);

/** Name to value, or to values where the name is repeated. It has no prototype, so `__proto__` is a name like any other. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The query string without the parameters of the selection. Throws INVALID_ARGUMENT where its percent-encoding is broken. */
export function parseQuery(text: string): Query {
  checkEncoding(text, 'the query string');
  const query = parse(text, '&', '=', { maxKeys: 0 });
  for (const name of SELECTION) if (name in query) delete query[name];
  return query;
}

/** Throws INVALID_ARGUMENT where `text` is not valid percent-encoding of UTF-8. */
export function checkEncoding(text: string, where: string): void {
  if (!text.includes('%')) return;
  try {
    decodeURIComponent(text);
  } catch {
    throw invalidArgument('', `${where} holds a broken percent-encoding; encode it as UTF-8`);
  }
}
