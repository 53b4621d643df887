/** The properties of a record's schema that are text columns with JSON: its arrays and objects. */
export function jsonColumns(properties: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(properties)
    .filter(([, property]) => ['array', 'object'].includes(String((property as { type?: unknown }).type)))
    .map(([name]) => name);
}

/** Writes these columns of a row as JSON, and reads them back. Absent columns stay absent. */
export function jsonCodec(columns: readonly string[]) {
  const mapped = (row: object, change: (value: unknown) => unknown): Record<string, unknown> => {
    const copy: Record<string, unknown> = { ...row };
    for (const name of columns) if (name in copy) copy[name] = change(copy[name]);
    return copy;
  };
  return {
    encode: (row: object) => mapped(row, (value) => JSON.stringify(value)),
    decode: (row: object) => mapped(row, (value) => JSON.parse(String(value)) as unknown),
  };
}
