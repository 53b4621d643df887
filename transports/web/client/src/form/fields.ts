import type { Schema } from '../api/tool-table.js';
import { sentence, textOf, words } from '../ui/format.js';

/** The eight controls of a form, and `json` for objects of any fields. A single object is a group of fields. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'number'
  | 'choice'
  | 'date'
  | 'list'
  | 'objects'
  | 'id'
  | 'group'
  | 'json';

/** One argument of a tool, and how a person gives it. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** May be empty. */
  readonly hint: string;
  readonly schema: Schema;
  /** The values of a choice, or of each item of a list. */
  readonly options: readonly string[];
  /** Not shown while it is typed, and not in the address. */
  readonly secret: boolean;
  /** Of a choice that has a value: another one can be chosen, but not none. */
  readonly isSet?: true;
}

/** Longer texts are written on several lines. */
const LONG_TEXT = 2000;

/** The fields of an object, the required ones first; without those in `left`. */
export function fieldsOf(schema: Schema, left: ReadonlySet<string> = new Set()): readonly Field[] {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !left.has(name))
    .map(([name, property]) => fieldOf(name, property, required.has(name)));
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

function fieldOf(name: string, property: Schema, required: boolean): Field {
  const schema = branchOf(property);
  const kind = kindOf(schema);
  const label = words(kind === 'id' ? name.replace(/_ids?$/, '') : name);
  const hint = hintOf(schema.description ?? '', kind);
  return { name, label, kind, required, hint, schema, options: optionsOf(schema), secret: isSecret(schema) };
}

/** The description; without `Project id (from projects_list)` of an id, which is chosen by its name. */
function hintOf(description: string, kind: FieldKind): string {
  return kind === 'id' ? sentence(description.replace(/^[\w ]+ id \(from \w+\)[,;.]? ?/, '')) : description;
}

/** Marked by `format: password`, as OpenAPI has it: what is typed, or shown once. */
export const isSecret = ({ format }: Schema): boolean => format === 'password';

/** Of several forms the first that has a control; null is left out by leaving the field empty. */
export function branchOf(schema: Schema): Schema {
  const branch = schema.anyOf?.find(({ type }) => type !== 'null');
  return branch ? { ...schema, ...branchOf(branch) } : schema;
}

function kindOf(schema: Schema): FieldKind {
  const { type, format, items, properties = {}, maxLength = 0 } = schema;
  if (schema['x-listed-by'] !== undefined && type === 'string') return 'id';
  if (optionsOf(schema).length > 0 && type !== 'array') return 'choice';
  if (type === 'array') return branchOf(items ?? {}).type === 'object' ? 'objects' : 'list';
  if (type === 'object') return Object.keys(properties).length > 0 ? 'group' : 'json';
  if (type === 'integer' || type === 'number') return 'number';
  if (format === 'date-time') return 'date';
  if (type === 'string') return maxLength > LONG_TEXT ? 'long' : 'text';
  return 'json';
}

function optionsOf({ type, enum: values, const: only, items }: Schema): readonly string[] {
  if (values) return values.map(textOf);
  if (only !== undefined) return [textOf(only)];
  if (type === 'boolean') return ['true', 'false'];
  return type === 'array' && items ? optionsOf(items) : [];
}
