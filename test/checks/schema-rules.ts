import type { JsonSchema } from '@service-mcp/core';

/** The faults of an input schema, each with the JSON Pointer of the argument. */
export function inputFaults(schema: JsonSchema): string[] {
  const faults = ['anyOf', 'oneOf', 'allOf']
    .filter((key) => key in schema)
    .map((key) => `has ${key} at the top`);
  return [...faults, ...faultsOf(schema, '')];
}

function faultsOf(schema: JsonSchema, path: string): string[] {
  const branches = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []));
  if (branches.length > 0) {
    return branches.flatMap((branch, i) => faultsOf(branch as JsonSchema, `${path}|${i}`));
  }
  if ('enum' in schema || 'const' in schema) return [];
  switch (schema['type']) {
    case 'object':
      return objectFaults(schema, path);
    case 'array': {
      const unbounded = schema['maxItems'] === undefined ? [`${path} is an array without maxItems`] : [];
      return [...unbounded, ...faultsOf((schema['items'] ?? {}) as JsonSchema, `${path}/*`)];
    }
    case 'string':
      return ['maxLength', 'pattern', 'format'].some((key) => key in schema)
        ? []
        : [`${path} is a string without maxLength, pattern, format or enum`];
    case 'integer':
    case 'number':
      return ['minimum', 'maximum']
        .filter((key) => !(key in schema))
        .map((key) => `${path} is a number without ${key}`);
    case 'boolean':
    case 'null':
      return [];
    default:
      return [`${path} has no type`];
  }
}

/** An argument whose fields the client names: it says that it is open, and how many there may be. */
function isMap(schema: JsonSchema, path: string): boolean {
  return (
    path !== '' && schema['additionalProperties'] === true && typeof schema['maxProperties'] === 'number'
  );
}

function objectFaults(schema: JsonSchema, path: string): string[] {
  const faults: string[] = [];
  if (schema['additionalProperties'] !== false && !isMap(schema, path)) {
    faults.push(`${path || 'the input'} is an open object`);
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)) {
    const { description } = property;
    if (typeof description !== 'string' || description.trim() === '') {
      faults.push(`${path}/${name} has no description`);
    }
    faults.push(...faultsOf(property, `${path}/${name}`));
  }
  return faults;
}
