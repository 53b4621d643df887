import { defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const schema = Type.Object(
  {
    threads: Type.Integer({
      minimum: 0,
      maximum: 8,
      default: 1,
      description: 'Worker threads that parse. 0 parses documents alone: source then has no symbols.',
      'x-env': 'SYNTAX_THREADS',
    }),
    time_limit_ms: Type.Integer({
      minimum: 50,
      maximum: 60_000,
      default: 2000,
      description:
        'Milliseconds after which the parsing of one text is given up with what was found by then.',
      'x-env': 'SYNTAX_TIME_LIMIT_MS',
    }),
    max_bytes: Type.Integer({
      minimum: 1024,
      maximum: 16 * 1024 * 1024,
      default: 1024 * 1024,
      description: 'Bytes (UTF-8) of the largest text that is parsed; a larger one has no symbols.',
      'x-env': 'SYNTAX_MAX_BYTES',
    }),
  },
  { additionalProperties: false },
);

export const config = defineConfig('syntax', schema);

export type SyntaxConfig = Static<typeof schema>;
