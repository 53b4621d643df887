import { defineTool, type JsonSchema } from '@service-mcp/core';
import { Type, type TObject } from 'typebox';
import { access, Said, say } from './declare.js';

const text = (description: string) => ({ type: 'string', description });

/** The keywords of JSON Schema 2020-12 that an input may use here; conditions and compositions at the top are refused at boot. */
const INPUT: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: text('The street.'), city: text('The city.') },
    },
  },
  properties: {
    name: text('The name.'),
    address: { $ref: '#/$defs/address', description: 'The address.' },
  },
  additionalProperties: false,
};

export const schemaTool = defineTool({
  name: 'json_schema_2020_12_tool',
  title: 'JSON Schema 2020-12',
  description: 'Tool with JSON Schema 2020-12 features',
  input: { ...Type.Object({}), ...INPUT } as unknown as TObject, // TypeBox makes no $defs
  output: Said,
  effect: 'read',
  level: 'light',
  access,
  uses: {},
  handler: async () => say('Taken.'),
});
