import { readJsonText, schemaTypes } from '@service-mcp/core/wire';
import { Failure } from '../failure.js';
import { commandName } from '../command-name.js';
import type { JsonObject } from '../json.js';
import type { Schema } from './schema.js';

/**
 * Arguments of a tool from flags: `--workspace-id X --limit 5 --tags a --tags b --filters.path-prefix src/`.
 * Names are those of the schema with `-` or `_`; `--name=value` works too; a boolean needs no value and
 * `--no-name` is false; a list repeats its flag, or takes a JSON array; an object takes JSON, or a flag for each
 * field after a dot. `target`: flags by which another command reaches the same service. Throws a Failure for a flag that the schema does not know or a value of the wrong type.
 */
export function parseFlags(tokens: readonly string[], tool: string, schema: Schema, target = ''): JsonObject {
  const result: Record<string, unknown> = {};
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] ?? '';
    if (!token.startsWith('--') || token === '--') {
      throw new Failure(`"${token}" is not an argument: arguments are flags such as --name value.`, {
        next: `Run ${commandName()} tools${target} ${tool} to see them, or pass one JSON object.`,
      });
    }
    const equals = token.indexOf('=');
    const flag = equals < 0 ? token.slice(2) : token.slice(2, equals);
    const { path, field, negated } = locate(flag, tool, schema);
    let text: string | undefined = equals < 0 ? undefined : token.slice(equals + 1);
    if (negated) text ??= 'false';
    else if (text === undefined) {
      const following = tokens[i + 1];
      const isBoolean = schemaTypes(field).includes('boolean');
      const isValue =
        following !== undefined &&
        (isBoolean ? /^(true|false)$/.test(following) : !/^--[A-Za-z]/.test(following));
      if (isValue) {
        text = following;
        i += 1;
      } else if (isBoolean) text = 'true';
      else throw new Failure(`--${flag} needs a value.`, { next: `Write --${flag}=VALUE.` });
    }
    assign(result, path, coerce(text, field, flag), field);
  }
  return result;
}

/** Finds the property behind a flag, one level into objects. */
function locate(
  flag: string,
  tool: string,
  schema: Schema,
): { path: string[]; field: Schema; negated: boolean } {
  const direct = descend(flag, schema);
  if (direct) return { ...direct, negated: false };
  if (flag.startsWith('no-')) {
    const positive = descend(flag.slice(3), schema);
    if (positive && schemaTypes(positive.field).includes('boolean')) return { ...positive, negated: true };
  }
  const known = Object.keys(schema.properties ?? {}).map((name) => `--${name.replaceAll('_', '-')}`);
  throw new Failure(`${tool} takes no argument --${flag}.`, {
    next: known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes none.',
  });
}

function descend(flag: string, schema: Schema): { path: string[]; field: Schema } | undefined {
  let field: Schema | undefined = schema;
  const path: string[] = [];
  for (const part of flag.split('.')) {
    const name: string = part.replaceAll('-', '_');
    const properties: Readonly<Record<string, Schema>> = field?.properties ?? {};
    if (!Object.hasOwn(properties, name)) return undefined;
    field = properties[name];
    path.push(name);
  }
  return field && { path, field };
}

/** The text of a flag as a value of the schema's type. */
function coerce(text: string, schema: Schema, flag: string): unknown {
  const types = schemaTypes(schema);
  if (types.includes('null') && text === 'null') return null;
  if (types.includes('array')) {
    if (text.trimStart().startsWith('[')) return json(text, flag, 'a JSON array');
    return [coerce(text, schema.items ?? {}, flag)];
  }
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if (types.includes('integer') || types.includes('number')) {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const fits = Number.isFinite(value) && (types.includes('number') || Number.isInteger(value));
    if (fits) return value;
    if (!types.includes('string')) {
      throw new Failure(
        `--${flag} takes ${types.includes('number') ? 'a number' : 'a whole number'}, not "${text}".`,
      );
    }
  }
  if (types.includes('string')) return text;
  if (types.includes('boolean')) throw new Failure(`--${flag} takes true or false, not "${text}".`);
  if (types.includes('object')) return json(text, flag, 'a JSON object');
  // Any type will do: JSON where the text is JSON, else the text.
  return readJsonText(text) ?? text;
}

function json(text: string, flag: string, what: string): unknown {
  const value = readJsonText(text);
  if (value !== undefined) return value;
  throw new Failure(`--${flag} takes ${what}; this is not valid JSON.`, {
    next: `Quote it for the shell: --${flag} '…'`,
  });
}

function assign(
  target: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
  field: Schema,
): void {
  let holder = target;
  for (const name of path.slice(0, -1)) holder = (holder[name] ??= {}) as Record<string, unknown>;
  const name = path.at(-1) ?? '';
  const before = holder[name];
  const grows = schemaTypes(field).includes('array') && Array.isArray(before) && Array.isArray(value);
  holder[name] = grows ? [...(before as unknown[]), ...(value as unknown[])] : value;
}
