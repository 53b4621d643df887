import { defineConfig } from '@service-mcp/core';
import { Type, type Static } from 'typebox';

const whole = (description: string, initial: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: initial, minimum, maximum });

const schema = Type.Object(
  {
    uri: Type.Optional(
      Type.String({
        description:
          'Where LanceDB keeps the indexes: a folder or an object-store URI. Default: lancedb in the data folder.',
        minLength: 1,
        maxLength: 2000,
        'x-env': 'LANCEDB_URI',
      }),
    ),
    batch_documents: whole('Documents indexed in one round.', 128, 1, 1000),
    batch_bytes: whole('Bytes of text claimed for one round.', 8 * 1024 * 1024, 1024, 256 * 1024 * 1024),
    query_timeout_ms: whole('Longest time of one look into the index.', 5000, 100, 60000),
    pattern_timeout_ms: whole(
      'Longest time of one regular-expression search; what was found by then is the answer.',
      3000,
      100,
      60000,
    ),
    optimize_after_ms: whole(
      'Quiet time after which written rows are compacted and indexed.',
      3000,
      100,
      3600000,
    ),
    training: Type.Boolean({
      description: 'Train an embedder on each workspace. Off: the untrained space stays in use.',
      default: true,
    }),
    training_min_chunks: whole('Chunks a workspace needs before its embedder is trained.', 50, 20, 1000000),
    training_max_chunks: whole(
      'Most chunks of a workspace read for training; more are sampled. Bounds its memory.',
      20000,
      100,
      200000,
    ),
    training_max_terms: whole(
      'Most terms an embedder knows. Bounds its size (about 170 bytes a term) and memory.',
      16000,
      500,
      60000,
    ),
  },
  { additionalProperties: false },
);
export type SearchConfig = Static<typeof schema>;

export const searchConfig = defineConfig('search', schema);
