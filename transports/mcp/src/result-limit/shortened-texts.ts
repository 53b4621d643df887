/** A value of JSON whose texts end after so many characters. */
export function shortenedTexts(value: unknown, most: number): unknown {
  if (typeof value === 'string')
    return value.length > most ? `${value.slice(0, most).replace(/[\uD800-\uDBFF]$/u, '')}…` : value;
  if (Array.isArray(value)) return value.map((each) => shortenedTexts(each, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortenedTexts(each, most)]));
}
