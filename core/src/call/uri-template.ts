import { isStorable } from '../text.js';

/**
 * Matches a URI against an RFC 6570 level 1 template (`{name}`; `{+name}` also matches slashes); undefined where it does
 * not fit, and where a variable is a text that not every database can look up.
 */
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
    const values = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')] as const);
    return values.every(([, value]) => isStorable(value)) ? Object.fromEntries(values) : undefined;
  } catch {
    return undefined; // malformed percent-encoding names nothing
  }
}

/** The names of its variables. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{\+?([a-z_]+)\}/g)].map(([, name = '']) => name);
}

/** The URI of a template with all its variables put in. */
export function expandTemplate(template: string, variables: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\+?)([a-z_]+)\}/g, (_all, plus: string, name: string) => {
    const value = variables[name] ?? '';
    return plus ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
}
