/** Matches a URI against an RFC 6570 level 1 template (`{name}`; `{+name}` also matches slashes); undefined where it does not fit. */
export function matchTemplate(template: string, uri: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template
    .split(/(\{\+?[a-z_]+\})/)
    .map((part) => {
      const variable = /^\{(\+?)([a-z_]+)\}$/.exec(part);
      if (!variable) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(variable[2] as string);
      return variable[1] ? '(.+)' : '([^/]+)';
    })
    .join('');
  const match = new RegExp(`^${pattern}$`).exec(uri);
  if (!match) return undefined;
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')]));
  } catch {
    return undefined; // malformed percent-encoding names nothing
  }
}
