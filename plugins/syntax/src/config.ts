import { defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const schema = Type.Object(
  {
    threads: Type.Integer({
      minimum: 0,
      maximum: 8,
      default: 1,
      description:
        'Worker threads for parsing. With 0 only documents are parsed: source code has no symbols.',
      'x-env': 'SYNTAX_THREADS',
    }),
    time_limit_ms: Type.Integer({
      minimum: 50,
      maximum: 60_000,
      default: 2000,
      description: 'Milliseconds for parsing one text. After that the result is partial.',
      'x-env': 'SYNTAX_TIME_LIMIT_MS',
    }),
    max_bytes: Type.Integer({
      minimum: 1024,
      maximum: 16 * 1024 * 1024,
      default: 1024 * 1024,
      description: 'Largest text that is parsed, in bytes of UTF-8. A larger text has no symbols.',
      'x-env': 'SYNTAX_MAX_BYTES',
    }),
    cache_bytes: Type.Integer({
      minimum: 0,
      maximum: 1024 * 1024 * 1024,
      default: 32 * 1024 * 1024,
      description: 'Memory, in bytes, for structures of recent texts. 0 caches nothing.',
      'x-env': 'SYNTAX_CACHE_BYTES',
    }),
  },
  { additionalProperties: false },
);

export const config = defineConfig('syntax', schema);

export type SyntaxConfig = Static<typeof schema>;
