/** The value of a setting in an environment variable, as its schema has it; the text itself where it is not of that type. */
export function parseSetting(text: string, { type }: { readonly type?: string }): unknown {
  if (type === 'integer' || type === 'number') return text.trim() === '' ? text : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type !== 'array') return text;
  const words = text.split(',').map((word) => word.trim());
  return words.filter(Boolean);
}
