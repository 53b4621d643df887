import type { JsonSchema } from '../tool.js';

/**
 * Why a property refuses its own default, by its type and bounds; undefined where it does not. Calls check the rest:
 * to compile each schema would make every start slower.
 */
export function defaultFault(property: JsonSchema): string | undefined {
  const { default: value, type, enum: words } = property;
  if (value === undefined) return undefined;
  if (Array.isArray(words) && !words.includes(value)) return `is not one of ${words.join(', ')}`;
  if (typeof type === 'string' && !isOf(type, value)) return `is not of type ${type}`;
  const size =
    typeof value === 'string' ? value.length : Array.isArray(value) ? value.length : (value as number);
  const [least, most] =
    typeof value === 'string'
      ? [property['minLength'], property['maxLength']]
      : Array.isArray(value)
        ? [property['minItems'], property['maxItems']]
        : [property['minimum'], property['maximum']];
  if (typeof least === 'number' && size < least) return `is below the least of ${least}`;
  if (typeof most === 'number' && size > most) return `is above the most of ${most}`;
  return undefined;
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type; // string, number, boolean
}
