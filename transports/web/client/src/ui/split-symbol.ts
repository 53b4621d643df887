/**
 * The path of `path#symbol`, and the symbol where it has one. Split at the last `#`, since a path may have one
 * (`docs/C#/intro.md#Start`), but for that of a private member (`a.ts#Store.#rows`); the `#` of a folder, such as that of
 * `C#/intro.md`, splits nothing.
 */
export function splitSymbol(text: string): { readonly path: string; readonly symbol?: string } {
  const [, path, symbol] = /^(.*[^.#])#(.+)$/.exec(text) ?? [];
  if (path === undefined || symbol === undefined) return { path: text };
  const isFolder = symbol.startsWith('/') && !/\.[^/]*$/.test(path);
  return isFolder ? { path: text } : { path, symbol };
}
