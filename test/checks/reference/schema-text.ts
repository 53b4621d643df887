/** The keywords of JSON Schema that the reference shows. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string | number | boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-listed-by'?: string;
  readonly 'x-day'?: string;
  readonly 'x-env'?: string;
  readonly 'x-secret'?: boolean;
}

/** One property of a schema, nested ones by their path: `filters.languages`, `files[].path`. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const field = { path, type: typeText(schema), required: required.includes(name), schema };
    return [field, ...within(schema, path)];
  });
}

/** The fields inside an object, or inside the objects of an array. */
function within(schema: Schema, path: string): Field[] {
  if (schema.type === 'object') return fieldsOf(schema, `${path}.`);
  return schema.items?.type === 'object' ? fieldsOf(schema.items, `${path}[].`) : [];
}

/** The type in a few words, with its bounds: `integer, 1 to 100`. */
export function typeText(schema: Schema): string {
  const { type, anyOf, oneOf, items = {} } = schema;
  const branches = anyOf ?? oneOf;
  if (branches) return branches.map(typeText).join(' or ');
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema['x-listed-by'] !== undefined) return 'id';
  if (schema['x-day'] !== undefined) return 'time, or a day of UTC';
  if (type === 'string') return stringText(schema);
  if (type === 'array') return `array of ${typeText(items)}${bounds(schema.minItems, schema.maxItems)}`;
  return `${type ?? 'any'}${bounds(schema.minimum, schema.maximum)}`;
}

function stringText({ format, pattern, minLength, maxLength }: Schema): string {
  if (format !== undefined) return `string, ${format}`;
  if (minLength === 1 && maxLength === undefined) return 'string, not empty';
  const shape = pattern !== undefined && pattern !== String.raw`\S` ? `, like \`${pattern}\`` : '';
  return `string${bounds(minLength, maxLength, ' characters')}${shape}`;
}

function bounds(least: number | undefined, most: number | undefined, unit = ''): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `, from ${least}${unit}`;
  if (least === undefined) return `, at most ${most}${unit}`;
  return `, ${least} to ${most}${unit}`;
}
