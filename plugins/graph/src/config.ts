import { defineConfig } from '@service-mcp/core';
import { Type } from 'typebox';

const MIB = 1024 * 1024;

const schema = Type.Object(
  {
    max_bytes: Type.Integer({
      description:
        'Largest source file that is parsed, in bytes. A larger file is a module without symbols, and answers name it.',
      default: 4 * MIB,
      minimum: 1024,
      maximum: 64 * MIB,
      'x-env': 'GRAPH_MAX_BYTES',
    }),
    parse_timeout_ms: Type.Integer({
      description:
        'Milliseconds for parsing one file. A slower file is tried once more, then it is a module without symbols, and answers name it.',
      default: 20_000,
      minimum: 100,
      maximum: 600_000,
      'x-env': 'GRAPH_PARSE_TIMEOUT_MS',
    }),
    resolve_timeout_ms: Type.Integer({
      description:
        'Milliseconds for binding the names of a project of up to 1000 files, and of a group of as many that import each other; larger ones have as many times more. A file with which that does not end is tried once more, then it has no symbols, and answers name it.',
      default: 120_000,
      minimum: 1000,
      maximum: 3_600_000,
      'x-env': 'GRAPH_RESOLVE_TIMEOUT_MS',
    }),
    thread_memory_mib: Type.Integer({
      description: 'Heap of the thread that parses and resolves, in MiB. Large projects need more.',
      default: 2048,
      minimum: 128,
      maximum: 65_536,
      'x-env': 'GRAPH_THREAD_MEMORY_MIB',
    }),
    cache_bytes: Type.Integer({
      description:
        'Memory for the graphs of recently queried projects, in bytes. A graph that is larger is kept until another one is queried.',
      default: 256 * MIB,
      minimum: MIB,
      maximum: 64 * 1024 * MIB,
      'x-env': 'GRAPH_CACHE_BYTES',
    }),
  },
  { additionalProperties: false },
);

export const graphConfig = defineConfig('graph', schema);
